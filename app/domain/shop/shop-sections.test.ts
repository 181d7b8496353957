import { expect, test } from "vitest"
import { checkBrand, savedBrand } from "./shop-sections"

const svg = btoa('<svg viewBox="0 0 30 10"/>')

test.each([
  ["a link of another scheme", { links: { support: "tel:1" } }, ["links.support"]],
  ["a link that runs a script", { legal: { terms: "javascript:alert(1)" } }, ["legal.terms"]],
  ["one in a language", { legal: { terms: { "de-de": "data:,x" } } }, ["legal.terms.de-de"]],
  ["a section that there is not", { tax: {} }, [""]],
  ["a rule by country, which the shop file alone has", { legal: { law: {} } }, ["legal"]],
  [
    "a file of a logo, which the console cannot read",
    { brand: { logo: { file: "a.svg" } } },
    ["brand.logo.data", "brand.logo"],
  ],
  ["a logo that is no picture", { brand: { logo: { data: btoa("x") } } }, ["brand.logo.data"]],
  ["a logo that is not in base64", { brand: { logo: { data: "§" } } }, ["brand.logo.data"]],
  [
    "an active logo",
    { brand: { logo: { data: btoa('<svg viewBox="0 0 1 1" onload="a()"/>') } } },
    ["brand.logo.data"],
  ],
  ["a text", "brand", [""]],
])("refuses %s and names its place", (_, content, places) => {
  const checked = checkBrand(content)
  expect(checked.kind === "invalid" && [...new Set(checked.flaws.map(({ path }) => path.join(".")))]).toEqual(
    places,
  )
})

test("what was saved is read section by section: one that the rules refuse now is the shop file's", () => {
  const saved = { links: { support: "tel:1" }, brand: { name: "Northlight", logo: { data: svg } }, former: 1 }
  expect(savedBrand(saved)).toMatchObject({
    brand: { name: "Northlight", logo: { data: svg, withName: true, plate: true } },
  })
  expect(Object.keys(savedBrand(saved))).toEqual(["brand"])
  for (const nothing of [null, "x", 1, [], {}]) expect(savedBrand(nothing)).toEqual({})
})
