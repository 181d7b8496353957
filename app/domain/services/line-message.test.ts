import { expect, test } from "vitest"
import { DAY } from "../calendar"
import { messagesAbout } from "./line-message"
import type { ServiceStatus } from "./service"

const at = Date.UTC(2026, 10, 20, 12)
const line = (
  status: ServiceStatus,
  paidUntil: number | null,
  host: string | null = "line.example.test",
) => ({
  status,
  host,
  paidUntil,
})

test("a line that ends within a week is reminded of first, another one's login details come first", () => {
  expect(messagesAbout(line("Active", at + 7 * DAY), at)).toEqual(["reminder", "login"])
  expect(messagesAbout(line("Active", at + 7 * DAY + 1), at)).toEqual(["login", "reminder"])
})

test("a suspended line has a reminder only, and one without an end its login details only", () => {
  expect(messagesAbout(line("Suspended", at - DAY), at)).toEqual(["reminder"])
  expect(messagesAbout(line("Active", null), at)).toEqual(["login"])
})

test("a line that is set up or has ended has no message", () => {
  expect(messagesAbout(line("Pending", at + DAY, null), at)).toEqual([])
  expect(messagesAbout(line("Terminated", at - 30 * DAY), at)).toEqual([])
})
