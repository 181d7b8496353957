import { expect, test } from "vitest"
import { readConfig } from "./config.server"

test.each([
  ["by default", {}, null],
  ["when RETENTION_DAYS is off", { RETENTION_DAYS: "off" }, null],
])("keeps inactive customers forever %s", (_, environment, days) => {
  expect(readConfig(environment).RETENTION_DAYS).toBe(days)
})

test("reads the retention of inactive customers in days", () => {
  expect(readConfig({ RETENTION_DAYS: "90" }).RETENTION_DAYS).toBe(90)
})

test.each(["7", "0", "-90", "90.5", "soon", "4000"])(
  "rejects %s days with an error that names the variable",
  (days) => {
    expect(() => readConfig({ RETENTION_DAYS: days })).toThrow(
      /RETENTION_DAYS: must be a number of days from 30/,
    )
  },
)
