import { expect, test } from "vitest"
import demonstration from "./demo-shop.json?raw"
import { shownShopFile } from "./shown-shop-file.server"

const files = (text: string | null) => new Map([["SHOP_FILE", text]])
const own = (changes: object) => JSON.stringify({ ...JSON.parse(demonstration), ...changes })
const shown = (atStart: string, present: string | null = atStart) =>
  shownShopFile({ atStart: files(atStart), present: files(present) })
const valueAt = (place: string, ...given: Parameters<typeof shown>) =>
  shown(...given).values.find((it) => it.place === place)

test("a value that the file names comes from it, and others are the defaults", () => {
  const file = own({ brand: { name: "Orange TV" } })
  expect(valueAt("brand.name", file)).toEqual({
    place: "brand.name",
    value: "Orange TV",
    source: "shop-file",
  })
  expect(valueAt("brand.colours.light", file)).toEqual({
    place: "brand.colours.light",
    value: "#405db1",
    source: "default",
  })
  expect(valueAt("legal.terms", file)?.value).toBeNull()
})

test("without a file the values are those of the demo data", () => {
  const none = { atStart: new Map(), present: new Map() }
  expect(shownShopFile(none).values.length).toBeGreaterThan(10)
  expect(shownShopFile(none).problem).toBeNull()
})

test("what has changed since the start has the value that a restart would give it", () => {
  const [before, after] = [own({ brand: { name: "Orange" } }), own({ brand: { name: "Lemon" } })]
  expect(valueAt("brand.name", before, after)).toMatchObject({ value: "Orange", next: "Lemon" })
  expect(shown(before, after).values.filter(({ next }) => next !== undefined)).toHaveLength(1)
  const added = own({ brand: { name: "Orange", title: { "de-de": "Fernsehen" } } })
  expect(valueAt("brand.title.de-de", before, added)).toMatchObject({ value: null, next: "Fernsehen" })
  expect(valueAt("brand.title.de-de", added, before)).toMatchObject({ value: "Fernsehen", next: null })
})

test.each([
  ["is not JSON", "{", /not JSON/],
  ["is gone", null, /not JSON/],
  ["has a wrong value", own({ brand: { name: "" } }), /brand\.name/],
])("a file that %s by now is named, and the running values stay", (_, present, problem) => {
  const found = shown(own({ brand: { name: "Orange" } }), present)
  expect(found.problem).toMatch(problem)
  expect(found.values.find(({ place }) => place === "brand.name")).toMatchObject({ value: "Orange" })
})

test("an address in the file is shown without user, password and query", () => {
  const links = {
    guides: "https://ana:do-not-show@guides.test/?key=do-not-show",
    speedTest: null,
    support: null,
  }
  expect(JSON.stringify(shown(own({ links })))).not.toContain("do-not-show")
})
