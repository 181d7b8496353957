import { expect, test } from "vitest"
import { isBackupDue } from "./backup"
import { DAY } from "./calendar"

const now = Date.UTC(2026, 10, 20, 12)

test("a backup is due without one, and a week after the last one", () => {
  expect(isBackupDue(null, now)).toBe(true)
  expect(isBackupDue(now - 7 * DAY, now)).toBe(true)
  expect(isBackupDue(now - 7 * DAY + 1, now)).toBe(false)
})
