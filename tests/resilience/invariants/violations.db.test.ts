import { expect, inject, test } from "vitest"
import { freshMigratedDatabase } from "../../support/db/migrated-postgres"
import { breakages } from "./corruptions"
import { validState } from "./valid-state"
import { violations } from "./violations"

const valid = await validState()

test("a valid state has no violations, on SQLite and on PostgreSQL", async () => {
  expect(violations(valid)).toEqual([])
  expect(violations(await validState(await freshMigratedDatabase(inject("postgres"))))).toEqual([])
})

test.each(breakages)("violations report %s", (_, breakIt, body) => {
  const broken = structuredClone(valid)
  breakIt(broken)
  expect(violations(broken)).toContainEqual(expect.stringMatching(body))
})
