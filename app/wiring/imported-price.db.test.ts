import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest"
import { readConfig } from "~/config/config.server"
import { HOUR, SECOND } from "~/domain/calendar"
import { engines } from "../../tests/fixtures/temporary-database"
import { freshMigratedDatabase } from "../../tests/support/db/migrated-postgres"
import { type Wiring, wire } from "./services.server"

/** The page cache's share of the two seconds. */
const PAGE_CACHE = 1 * SECOND

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-instances-"))
  vi.useFakeTimers({ toFake: ["Date"] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const shownPrices = async ({ services }: Wiring) =>
  (await services.catalogue.plans()).map(({ pricing }) => pricing.EUR)

describe.each(engines)("two instances on %s", (engine) => {
  test.each([
    ["within two seconds of an import", 2 * SECOND - PAGE_CACHE],
    ["an hour after it, to the first visitor of that hour", HOUR],
  ])("both show an imported price %s", async (_, later) => {
    const shared = engine === "PostgreSQL" && {
      DATABASE_URL: await freshMigratedDatabase(inject("postgres")),
    }
    const config = readConfig({ DATA_DIR: folder, ...shared, GATEWAYS: "offshore", SANDBOX_PORT: "0" })
    const log = pino({ level: "silent" })
    const instances = [await wire(config, log, {}), await wire(config, log, {})] as const
    const [first, quiet] = instances
    expect(await shownPrices(quiet)).toEqual(await shownPrices(first))

    const { products, ...catalogue } = await first.billing.operator.exportCatalogue()
    const imported = products.map((it) => ({ ...it, pricing: { EUR: { monthly: 4_321 } } }))
    await first.billing.operator.importCatalogue({ ...catalogue, products: imported })
    vi.setSystemTime(Date.now() + later + 1)
    for (const instance of instances) {
      const prices = await shownPrices(instance)
      expect(prices.length).toBeGreaterThan(0)
      expect(prices).toEqual(prices.map(() => ({ monthly: 4_321 })))
    }
    await Promise.all(instances.map((it) => it.close()))
  })

  test("both show a scheduled price from the same instant on", async () => {
    const shared = engine === "PostgreSQL" && {
      DATABASE_URL: await freshMigratedDatabase(inject("postgres")),
    }
    const config = readConfig({ DATA_DIR: folder, ...shared, GATEWAYS: "offshore", SANDBOX_PORT: "0" })
    const log = pino({ level: "silent" })
    const instances = [await wire(config, log, {}), await wire(config, log, {})] as const
    const [first, other] = instances
    const former = await shownPrices(other)
    const from = Date.now() + HOUR
    const scheduled = {
      from: new Date(from).toISOString(),
      currency: "EUR",
      cycle: "annually",
      price: "43.21",
    }
    const { catalogue } = first.billing
    if (!catalogue) throw new Error("Embedded billing has the products")
    const { content, latest } = await catalogue.present()
    const plans = content.plans.map((it) => (it.pid === "3" ? { ...it, scheduled_prices: [scheduled] } : it))
    const made = { author: "owner@shop.test", reason: "a sale", at: Date.now(), seenVersion: latest }
    await catalogue.change({ ...content, plans }, made)

    vi.setSystemTime(from - 1)
    for (const instance of instances) expect(await shownPrices(instance)).toEqual(former)
    // Nobody reads the list again in between.
    vi.setSystemTime(from)
    for (const instance of instances)
      expect((await shownPrices(instance)).map((it) => it?.annually)).toContain(4_321)
    await Promise.all(instances.map((it) => it.close()))
  })

  test("both show a price that an operator changes within two seconds, and the former one when it is taken back", async () => {
    const shared = engine === "PostgreSQL" && {
      DATABASE_URL: await freshMigratedDatabase(inject("postgres")),
    }
    const config = readConfig({ DATA_DIR: folder, ...shared, GATEWAYS: "offshore", SANDBOX_PORT: "0" })
    const log = pino({ level: "silent" })
    const instances = [await wire(config, log, {}), await wire(config, log, {})] as const
    const [first, other] = instances
    const former = await shownPrices(other)
    expect(former[0]).toBeDefined()

    const { catalogue } = first.billing
    if (!catalogue) throw new Error("Embedded billing has the products")
    const { content, latest } = await catalogue.present()
    const plans = content.plans.map((it) => ({ ...it, pricing: { EUR: { monthly: "43.21" } } }))
    const made = { author: "owner@shop.test", reason: "a sale", at: Date.now() }
    await catalogue.change({ ...content, plans }, { ...made, seenVersion: latest })
    vi.setSystemTime(Date.now() + 2 * SECOND - PAGE_CACHE + 1)
    expect(await shownPrices(other)).toEqual(former.map(() => ({ monthly: 4_321 })))

    const [version] = await catalogue.versions({ limit: 1 })
    const { number = 0 } = version ?? {}
    await catalogue.takeBack(number - 1, { ...made, reason: "a mistake", seenVersion: number })
    vi.setSystemTime(Date.now() + 2 * SECOND - PAGE_CACHE + 1)
    expect(await shownPrices(other)).toEqual(former)
    await Promise.all(instances.map((it) => it.close()))
  })
})
