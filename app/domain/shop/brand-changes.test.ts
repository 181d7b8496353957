import { expect, test } from "vitest"
import { brandChanges } from "./brand-changes"
import type { BrandContent } from "./shop-sections"

const brand: NonNullable<BrandContent["brand"]> = {
  name: "Northlight",
  title: {},
  guarantee: {},
  colours: { light: "#0a7a5a", dark: null },
  logo: null,
}
const svg = (fill: string) => ({
  data: btoa(`<svg viewBox="0 0 30 10"><path fill="${fill}"/></svg>`),
  withName: true,
  plate: true,
})

test("states that are alike have no changes", () => {
  expect(brandChanges({}, {})).toEqual([])
  expect(brandChanges({ brand }, { brand: { ...brand } })).toEqual([])
})

test.each<[string, BrandContent, BrandContent, readonly string[]]>([
  [
    "a name that is changed and a text that is added",
    { brand },
    { brand: { ...brand, name: "Southlight", title: { "de-de": "Kasse" } } },
    ["brand.name: Northlight → Southlight", "brand.title.de-de: – → Kasse"],
  ],
  [
    "a text that is gone",
    { mail: { messages: { receipt: { "de-de": { subject: "Los" } } } } },
    { mail: { messages: {} } },
    ["mail.messages.receipt.de-de.subject: Los → –"],
  ],
  [
    "a section that is set, with its values",
    {},
    { links: { guides: null, speedTest: null, support: "mailto:a@b.example" } },
    ["links: as in the shop file → set here", "links.support: – → mailto:a@b.example"],
  ],
  [
    "a section that is the shop file's again",
    { links: { guides: null, speedTest: null, support: null } },
    {},
    ["links: set here → as in the shop file"],
  ],
  [
    "a long text, which is cut",
    { legal: { seller: null, terms: null, privacy: null, refunds: null } },
    { legal: { seller: "x".repeat(200), terms: null, privacy: null, refunds: null } },
    [`legal.seller: – → ${"x".repeat(100)}…`],
  ],
])("says %s", (_, before, after, changes) => {
  expect(brandChanges(before, after)).toEqual(changes)
})

test("tells two pictures of the same size apart, without their bytes", () => {
  const [change = "", ...others] = brandChanges(
    { brand: { ...brand, logo: svg("red") } },
    { brand: { ...brand, logo: svg("tan") } },
  )
  expect(others).toEqual([])
  expect(change).toMatch(
    /^brand\.logo\.data: SVG 30×10, \d+ bytes \((\w+)\) → SVG 30×10, \d+ bytes \((?!\1)\w+\)$/,
  )
})
