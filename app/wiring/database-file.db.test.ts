import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { readShopFile } from "~/config/shop-file.server"
import { openBilling } from "./billing.server"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-file-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const has = (name: string) => existsSync(join(folder, name))

/** Opens the database as a shop with this data folder does, and answers which customer it has. */
async function opened(email?: string) {
  const config = readConfig({ DATA_DIR: folder })
  const { billing } = await openBilling(config, {
    now: () => 1,
    log: pino({ enabled: false }),
    sellerTexts: () => readShopFile(config.SHOP_FILE),
  })
  if (email) {
    await billing.billing.identify({
      email,
      locale: "en-en",
      currency: "EUR",
      address: null,
      country: "ES",
      at: 1,
    })
  }
  const customer = await billing.billing.customerOf("ana@example.test")
  await billing.close()
  return customer?.email ?? null
}

test("a new installation creates boxoffice.db", async () => {
  expect(await opened("ana@example.test")).toBe("ana@example.test")
  expect([has("boxoffice.db"), has("books.db")]).toEqual([true, false])
})

test("an existing books.db stays in use", async () => {
  await opened("ana@example.test")
  renameSync(join(folder, "boxoffice.db"), join(folder, "books.db"))
  expect(await opened()).toBe("ana@example.test")
  expect([has("boxoffice.db"), has("books.db")]).toEqual([false, true])
})

test("boxoffice.db is used where a former version has created a books.db next to it", async () => {
  await opened("bob@example.test")
  renameSync(join(folder, "boxoffice.db"), join(folder, "books.db"))
  const former = join(folder, "books.db")
  renameSync(former, join(folder, "kept.db"))
  await opened("ana@example.test")
  renameSync(join(folder, "kept.db"), former)
  expect(await opened()).toBe("ana@example.test")
})
