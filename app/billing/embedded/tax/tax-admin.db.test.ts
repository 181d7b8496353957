import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { TaxAdmin } from "~/billing/tax-admin"
import { TaxFile, taxRulesOf } from "~/domain/tax/tax-file"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { catalogue, NOON } from "../../../../tests/fixtures/test-shop"
import { type EmbeddedBilling, openEmbeddedBilling } from "../open-embedded-billing.server"

const made = { author: "owner@shop.test", reason: "checked", at: NOON }
const file = TaxFile.parse({
  country: "DE",
  confirmedOn: "2026-11-01",
  registrations: [{ country: "DE", number: "DE123456789" }],
})
const austrian: TaxFile = { ...file, country: "AT", registrations: [] }

describe.each(engines)("the rules of tax on %s", (engine) => {
  let database: TemporaryDatabase
  const opened: EmbeddedBilling[] = []
  /** Opens another instance, whose shop file says this of tax. */
  async function instance(ofFile: TaxFile | null = file): Promise<TaxAdmin> {
    let names = 0
    const billing = await openEmbeddedBilling({
      databaseUrl: database.url,
      timeoutMs: 1_000,
      newId: () => `name${++names}`,
      catalogue,
      tax: { rules: ofFile && taxRulesOf(ofFile), timeZone: "UTC", file: ofFile },
    })
    opened.push(billing)
    if (!billing.tax) throw new Error("Embedded billing taxes")
    return billing.tax
  }
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((it) => it.close()))
    await database.close()
  })
  const numbers = async (tax: TaxAdmin) =>
    (await tax.versions({ limit: 10 })).map(({ number, how }) => [number, how])

  test("of an earlier version, which knew no accounting currency, are the same rules, and get one as a change", async () => {
    const tax = await instance()
    await tax.change(austrian, { ...made, seenVersion: 0 })
    // As an earlier version has written them.
    expect(JSON.stringify((await tax.version(2))?.content)).not.toContain("accounting")
    expect(await tax.change(austrian, { ...made, seenVersion: 2 })).toMatchObject({ kind: "same" })
    const accounting: TaxFile["accounting"] = {
      currency: "EUR",
      exchangeRates: [{ base: "EUR", quote: "GBP", rate: "0.8735", from: "2026-11-01" }],
    }
    expect(tax.accounting()).toBeNull()
    await tax.change({ ...austrian, accounting }, { ...made, seenVersion: 2 })
    expect(tax.accounting()).toEqual(accounting)
    await tax.change(null, { ...made, seenVersion: 3 })
    expect(tax.accounting()).toBeNull()
  })

  test("are those of the shop file until an operator changes them, which keeps the file's as a version", async () => {
    const tax = await instance()
    expect(tax.rules()?.country).toBe("DE")
    expect(await tax.present()).toEqual({ content: file, source: "file", file, latest: 0 })
    const saved = await tax.change(austrian, { ...made, seenVersion: 0 })
    expect(saved).toEqual({ kind: "saved", version: 2, before: file, after: austrian })
    expect(tax.rules()?.country).toBe("AT")
    expect(await tax.present()).toMatchObject({ content: austrian, source: "console", latest: 2 })
    expect(await tax.versions({ limit: 10 })).toEqual([
      { number: 2, ...made, how: "edit", takenFrom: null },
      { number: 1, at: NOON, author: null, reason: null, how: "found", takenFrom: null },
    ])
    expect((await tax.version(1))?.content).toEqual(file)
  })

  test("of the console are in force after a start, and on another instance once it looks", async () => {
    const [one, other] = [await instance(), await instance()]
    await one.change(austrian, { ...made, seenVersion: 0 })
    expect(other.rules()?.country).toBe("DE")
    await other.refresh()
    expect(other.rules()?.country).toBe("AT")
    expect((await instance(null)).rules()?.country).toBe("AT")
  })

  test("are the shop file's again when an operator says so, also after the file has changed", async () => {
    const tax = await instance()
    await tax.change(austrian, { ...made, seenVersion: 0 })
    expect(await tax.change(null, { ...made, seenVersion: 2 })).toMatchObject({ kind: "saved", after: file })
    expect(tax.rules()?.country).toBe("DE")
    expect(await tax.present()).toMatchObject({ source: "file", latest: 3 })
    expect((await instance({ ...file, country: "NL" })).rules()?.country).toBe("NL")
    expect(await numbers(tax)).toEqual([
      [3, "file"],
      [2, "edit"],
      [1, "found"],
    ])
  })

  test("tax nothing once they are switched off, whatever the shop file says", async () => {
    const tax = await instance()
    await tax.change({ ...file, confirmedOn: null }, { ...made, seenVersion: 0 })
    expect(tax.rules()).toBeNull()
  })

  test("are taken back to an earlier version as a new one; an unknown version changes nothing", async () => {
    const tax = await instance()
    await tax.change(austrian, { ...made, seenVersion: 0 })
    expect(await tax.takeBack(1, { ...made, seenVersion: 2 })).toMatchObject({ kind: "saved", version: 3 })
    expect(tax.rules()?.country).toBe("DE")
    expect(await tax.versions({ limit: 1 })).toMatchObject([{ how: "take-back", takenFrom: 1 }])
    expect(await tax.takeBack(9, { ...made, seenVersion: 3 })).toBeNull()
    expect(await tax.version(9)).toBeNull()
  })

  test("are not written by who has not seen the last version, nor without a difference", async () => {
    const tax = await instance()
    expect(await tax.change(file, { ...made, seenVersion: 0 })).toEqual({ kind: "same" })
    expect(await tax.change(null, { ...made, seenVersion: 0 })).toEqual({ kind: "same" })
    await tax.change(austrian, { ...made, seenVersion: 0 })
    expect(await tax.change(austrian, { ...made, seenVersion: 2 })).toEqual({ kind: "same" })
    expect(await tax.change(file, { ...made, seenVersion: 1 })).toEqual({ kind: "changed" })
  })

  test("are changed by one of several operators at once", async () => {
    const tax = await instance(null)
    const saved = await Promise.all(
      ["US", "CA", "BR", "MX"].map((country) =>
        tax.change({ ...austrian, exempt: [country] }, { ...made, seenVersion: 0 }),
      ),
    )
    expect(saved.map(({ kind }) => kind).toSorted()).toEqual(["changed", "changed", "changed", "saved"])
    expect(await numbers(tax)).toEqual([[1, "edit"]])
  })
})
