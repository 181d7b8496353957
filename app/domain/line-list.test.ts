import { expect, test } from "vitest"
import { DAY } from "./calendar"
import { linePage } from "./line-list"
import type { ServiceStatus } from "./service"

const at = Date.UTC(2026, 10, 20, 12)
const line = (id: string, days: number | null, status: ServiceStatus = "Active") => ({
  id,
  status,
  paidUntil: days === null ? null : at + days * DAY,
})
const lines = [
  line("ended", -40, "Terminated"),
  line("endless", null),
  line("year", 365),
  line("week", 7),
  line("over", -2, "Suspended"),
  line("new", null, "Pending"),
]
const idsOf = (filter: "all" | "ending" | "ended") =>
  linePage(lines, { filter, page: 1, at }).lines.map(({ id }) => id)

test("lines being set up come first, then the next to end, those that have ended last", () => {
  expect(idsOf("all")).toEqual(["new", "over", "week", "year", "endless", "ended"])
})

test("a filter leaves lines that end within a week or are over, or those that have ended", () => {
  expect(idsOf("ending")).toEqual(["over", "week"])
  expect(idsOf("ended")).toEqual(["ended"])
})

test.each([
  [1, 1, 20],
  [2, 2, 20],
  [3, 3, 5],
  [9, 3, 5],
  [0, 1, 20],
])("page %i of 45 lines is page %i with %i lines", (page, shown, length) => {
  const many = Array.from({ length: 45 }, (_, index) => line(`${index}`, index))
  const found = linePage(many, { filter: "all", page, at })
  expect([found.page, found.pages, found.lines.length]).toEqual([shown, 3, length])
})

test("no lines are one empty page", () => {
  expect(linePage([], { filter: "all", page: 1, at })).toEqual({ lines: [], page: 1, pages: 1 })
})
