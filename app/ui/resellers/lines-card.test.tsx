import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import type { LineListView } from "./line-list"
import { LineCard } from "./lines-card"

const view: LineListView = {
  lead: "One credit makes one line.",
  notice: null,
  search: {
    name: "find",
    label: "Name, username or MAC",
    submit: "Search",
    value: "",
    filter: { name: "show", value: "all" },
  },
  filterLabel: "Which lines to show",
  filters: [{ text: "All", count: 1, href: "?show=all", isCurrent: true }],
  file: { text: "All lines as CSV", href: "/checkout/resellers/lines.csv" },
  order: "Ending soonest first",
  hasLines: true,
  rows: [
    {
      id: "line-1",
      status: "Active",
      name: "Leo",
      username: "TVLEO00001",
      device: null,
      end: "paid until 20 December 2026",
      select: "Select Leo",
      isSelected: false,
      extend: "Extend to 20 Jan",
      message: null,
      cancel: null,
    },
  ],
  empty: "No lines match.",
  extend: "Extend the selected lines, 1 credit each",
  pages: null,
}

const card = (balance: number, changes: Partial<LineListView> = {}) =>
  rendered(
    <LineCard
      lines={{ ...view, ...changes }}
      refusal={null}
      balance={balance}
      serviceId="service"
      formKey="form-1"
      lastResult={null}
    />,
    "en-en",
  )

test("without credits the lines have nothing to extend them by, and the card leads to more credits", async () => {
  const found = async (balance: number) => {
    const page = await card(balance)
    const boxes = elements(page, (it) => attribute(it, "type") === "checkbox")
    const extend = elements(page, (it) => attribute(it, "name") === "extend")
    const more = elements(page, (it) => attribute(it, "href") === "/resellers")
    return [boxes.length, extend.length, more.map(textOf)]
  }
  expect(await found(1)).toEqual([1, 1, []])
  expect(await found(0)).toEqual([0, 0, ["Buy more credits"]])
})

test("an account without lines has neither a search nor filters for them", async () => {
  const search = async (hasLines: boolean) => {
    const page = await card(1, { hasLines, rows: [] })
    return elements(page, (it) => it.tagName === "nav" || attribute(it, "role") === "search").length
  }
  expect([await search(true), await search(false)]).toEqual([2, 0])
})
