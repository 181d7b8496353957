import { expect, test } from "vitest"
import { DAY } from "../calendar"
import { lineName, linePage } from "./line-list"
import type { ServiceStatus } from "./service"

const at = Date.UTC(2026, 10, 20, 12)
const line = (id: string, days: number | null, status: ServiceStatus = "Active") => ({
  id,
  notes: "",
  username: `TV${id}`,
  status,
  paidUntil: days === null ? null : at + days * DAY,
  deviceAddress: null,
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
  linePage(lines, { filter, page: 1, search: "", at }).lines.map(({ id }) => id)

test("lines being set up come first, then the next to end, those that have ended last", () => {
  expect(idsOf("all")).toEqual(["new", "over", "week", "year", "endless", "ended"])
})

test("a line that was just created comes first, on the first page, until the list is asked for without it", () => {
  const query = { filter: "all", page: 1, search: "", at } as const
  const ids = (first: string | null) => linePage(lines, { ...query, first }).lines.map(({ id }) => id)
  expect(ids("year")).toEqual(["year", "new", "over", "week", "endless", "ended"])
  expect(ids(null)).toEqual(idsOf("all"))
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
  const found = linePage(many, { filter: "all", page, search: "", at })
  expect([found.page, found.pages, found.lines.length]).toEqual([shown, 3, length])
})

test("no lines are one empty page", () => {
  expect(linePage([], { filter: "all", page: 1, search: "", at })).toEqual({
    lines: [],
    page: 1,
    pages: 1,
    counts: { all: 0, ending: 0, ended: 0 },
  })
})

test.each([
  ["cafe", ["cafe"]],
  ["  CENTRAL ", ["cafe"]],
  ["tv8g", ["bob"]],
  ["e B", ["bob"]],
  ["nobody", []],
])("a search for %j finds lines by name or username, without case and accents", (search, ids) => {
  const named = [
    { ...line("bob", 2), notes: "Uncle Bob", username: "TV8GF67CW2" },
    { ...line("cafe", 30), notes: "Café Central\nsecond screen", username: "TV4M2KP9XA" },
  ]
  const found = linePage(named, { filter: "all", page: 1, search, at })
  expect(found.lines.map(({ id }) => id)).toEqual(ids)
  const ending = ids.filter((id) => id === "bob").length
  expect(found.counts).toEqual({ all: ids.length, ending, ended: 0 })
})

test.each([
  ["00:1A:79:12:34:56", ["box"]],
  ["001a79123456", ["box"]],
  ["00-1a-79-12-34-56", ["box"]],
  ["001a.7912.3456", ["box"]],
  ["\u200b34:56 ", ["box"]],
  ["79:12", ["box"]],
  ["00:1A:79:12:34:57", []],
  ["12", ["twelve"]],
  ["ab", []],
])("a search for %j finds lines by their device, written in any way, from four digits on", (search, ids) => {
  const lines = [
    { ...line("box", 2), notes: "Uncle Bob", deviceAddress: "00:1A:79:12:34:56" },
    { ...line("other", 3), notes: "Zoe", deviceAddress: "00:1A:79:AB:CD:EF" },
    { ...line("twelve", 4), notes: "Flat 12" },
  ]
  const found = linePage(lines, { filter: "all", page: 1, search, at })
  expect(found.lines.map(({ id }) => id)).toEqual(ids)
})

test("a line is called by the first line of its notes, or by its username", () => {
  expect(lineName({ notes: "Uncle Bob\nbedroom", username: "TV8GF67CW2" })).toBe("Uncle Bob")
  expect(lineName({ notes: "", username: "TV8GF67CW2" })).toBe("TV8GF67CW2")
})
