import { expect, test } from "vitest"
import { withdrawalEnd } from "./withdrawal-period"

const placedAt = Date.parse("2026-11-20T23:30:00Z")
const terms = (withdrawalDays: number | null) => ({ country: "DE", withdrawalDays, declarations: null })

test.each([
  ["UTC", "2026-12-04T23:59:59.999Z"],
  ["Europe/Berlin", "2026-12-05T22:59:59.999Z"],
])("the last of 14 days of withdrawal counts in full in %s", (timeZone, end) => {
  expect(withdrawalEnd({ placedAt, saleTerms: terms(14) }, timeZone)).toBe(Date.parse(end))
})

test("a sale without days of withdrawal has no such period", () => {
  expect(withdrawalEnd({ placedAt, saleTerms: terms(null) }, "UTC")).toBeNull()
  expect(withdrawalEnd({ placedAt }, "UTC")).toBeNull()
})
