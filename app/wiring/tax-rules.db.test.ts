import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest"
import { readConfig } from "~/config/config.server"
import { SECOND } from "~/domain/calendar"
import { TaxFile } from "~/domain/tax/tax-file"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { request } from "../../tests/fixtures/purchase"
import { engines } from "../../tests/fixtures/temporary-database"
import { freshMigratedDatabase } from "../../tests/support/db/migrated-postgres"
import { wire } from "./services.server"
import { followTax } from "./tax.server"

const rules = TaxFile.parse({ country: "DE", confirmedOn: "2026-11-01" })

describe.each(engines)("two instances on %s", (engine) => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "boxoffice-instances-"))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test("tax by the rules that an operator changes within two seconds, without a request", async () => {
    const shared = engine === "PostgreSQL" && {
      DATABASE_URL: await freshMigratedDatabase(inject("postgres")),
    }
    const config = readConfig({ DATA_DIR: folder, ...shared, GATEWAYS: "offshore", SANDBOX_PORT: "0" })
    const log = pino({ level: "silent" })
    const [first, other] = [await wire(config, log, {}), await wire(config, log, {})]
    expect(other.services.shop.tax).toBeNull()
    const made = { author: "owner@shop.test", reason: "checked", at: Date.now(), seenVersion: 0 }
    await first.billing.tax?.change(rules, made)
    expect(first.services.shop.tax?.country).toBe("DE")
    await expect.poll(() => other.services.shop.tax?.country, { timeout: 2 * SECOND }).toBe("DE")
    await Promise.all([first.close(), other.close()])
  })
})

test("what an order will cost names the seller of the console at once: of the invoices, or of the pages without one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-seller-"))
  const config = readConfig({ DATA_DIR: folder, GATEWAYS: "offshore", SANDBOX_PORT: "0" })
  const { services, billing, close } = await wire(config, pino({ level: "silent" }), {})
  await billing.tax?.change(rules, {
    author: "owner@shop.test",
    reason: "checked",
    at: Date.now(),
    seenVersion: 0,
  })
  const pricing = { currency: "EUR", country: "DE", buyer: { named: "DE", located: "DE" } } as const
  const placement = await placeOrder({ ...services, log: pino({ level: "silent" }) }, request({ pricing }))
  if (placement.kind !== "placed") throw new Error(placement.kind)
  const seller = async () => (await billing.documents.proforma(placement.order.id))?.seller
  expect((await seller())?.name).toBeNull()
  const made = { at: 1, author: "owner@shop.test", reason: null, how: "edit", takenFrom: null } as const
  const legal = { seller: "Northlight Ltd, Dublin" }
  await billing.brand.save({ legal }, { ...made, seenVersion: 0 })
  await services.console?.brand.refresh()
  expect(await seller()).toMatchObject({ name: "Northlight Ltd, Dublin", address: [], country: "DE" })
  const documents = { seller: { name: "Northlight GmbH", address: ["Hauptstr. 1", "10115 Berlin"] } }
  await billing.brand.save({ legal, documents }, { ...made, seenVersion: 1 })
  await services.console?.brand.refresh()
  expect(await seller()).toMatchObject({ name: "Northlight GmbH", address: ["Hauptstr. 1", "10115 Berlin"] })
  await close()
  rmSync(folder, { recursive: true })
})

test("rules that cannot be read stay as they were, and are reported once while the database is away", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  const lines: unknown[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  let isAway = true
  const stop = followTax(
    { refresh: async () => (isAway ? Promise.reject(new Error("away")) : undefined) },
    log,
  )
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(lines).toMatchObject([{ msg: "tax rules not read" }])
  isAway = false
  await vi.advanceTimersByTimeAsync(SECOND)
  isAway = true
  await vi.advanceTimersByTimeAsync(2 * SECOND)
  expect(lines).toHaveLength(2)
  stop()
  await vi.advanceTimersByTimeAsync(5 * SECOND)
  expect(lines).toHaveLength(2)
  vi.useRealTimers()
})
