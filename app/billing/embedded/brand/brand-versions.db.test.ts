import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { BrandVersions } from "~/billing/brand-versions"
import { DAY } from "~/domain/calendar"
import { catalogueFixture, NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"

const made = {
  at: NOON,
  author: "owner@shop.test",
  reason: "a new name",
  how: "edit",
  takenFrom: null,
} as const
const named = (name: string) => ({ brand: { name } })

describe.each(engines)("versions of the brand on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: SeedableBilling
  let brand: BrandVersions
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    backend = await createEmbeddedBilling(database.url, catalogueFixture)
    brand = backend.brand
  })
  afterEach(async () => {
    await backend.close()
    await database.close()
  })

  test("a shop whose console has set nothing has no version", async () => {
    const none = { version: 0, at: 0 }
    expect([await brand.latest(), await brand.present()]).toEqual([none, { ...none, content: {} }])
    expect([await brand.versions({ limit: 10 }), await brand.version(1)]).toEqual([[], null])
  })

  test("every change is a version with who has made it, when and why, and the last one holds", async () => {
    expect(await brand.save(named("One"), { ...made, seenVersion: 0 })).toEqual({ kind: "saved", version: 1 })
    const back = { ...made, how: "take-back", takenFrom: 1, reason: null } as const
    await brand.save(named("Two"), { ...made, seenVersion: 1 })
    await brand.save(named("One"), { ...back, seenVersion: 2 })
    const last = { version: 3, at: NOON }
    expect([await brand.latest(), await brand.present()]).toEqual([last, { ...last, content: named("One") }])
    expect(await brand.versions({ limit: 2 })).toEqual([
      { ...back, number: 3 },
      { ...made, number: 2 },
    ])
    expect(await brand.versions({ before: 2, limit: 2 })).toEqual([{ ...made, number: 1 }])
    expect(await brand.version(2)).toEqual({ ...made, number: 2, content: named("Two") })
  })

  test("of two changes at once one is refused, and one that changes nothing makes no version", async () => {
    const saved = await Promise.all(
      ["One", "Two"].map((name) => brand.save(named(name), { ...made, seenVersion: 0 })),
    )
    expect(saved.map(({ kind }) => kind).toSorted()).toEqual(["changed", "saved"])
    const { content } = await brand.present()
    expect(await brand.save(content, { ...made, seenVersion: 1 })).toEqual({ kind: "same" })
    expect(await brand.save(named("Three"), { ...made, seenVersion: 0 })).toEqual({ kind: "changed" })
    expect((await brand.latest()).version).toBe(1)
  })

  test("a draft is kept for a day, and then taken away by the next one", async () => {
    await brand.keepDraft({ id: "one", at: NOON, content: named("Draft") })
    expect(await brand.draft("one", NOON + DAY)).toEqual(named("Draft"))
    expect(await brand.draft("one", NOON + DAY + 1)).toBeNull()
    await brand.keepDraft({ id: "two", at: NOON + DAY + 1, content: {} })
    expect([await brand.draft("one", NOON), await brand.draft("two", NOON + DAY)]).toEqual([null, {}])
  })
})
