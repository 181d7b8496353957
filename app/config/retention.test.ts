import { expect, test } from "vitest"
import { readConfig } from "./config.server"

test.each([
  ["unless said", {}, null],
  ["when that is said", { RETENTION_DAYS: "off" }, null],
])("names of customers who never bought are kept for ever %s", (_, environment, days) => {
  expect(readConfig(environment).RETENTION_DAYS).toBe(days)
})

test("they can be kept for a number of days", () => {
  expect(readConfig({ RETENTION_DAYS: "90" }).RETENTION_DAYS).toBe(90)
})

test.each(["7", "0", "-90", "90.5", "soon", "4000"])(
  "%s days stop the start, and the variable is named",
  (days) => {
    expect(() => readConfig({ RETENTION_DAYS: days })).toThrow(
      /RETENTION_DAYS: must be a number of days from 30/,
    )
  },
)
