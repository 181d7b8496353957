import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"
import { CatalogueShape } from "~/billing/embedded/catalogue/catalogue-file-schema"
import { shopFileFields } from "~/config/shop-file.server"
import { TaxFile } from "~/domain/tax/tax-file"

const page = readFileSync("docs/shop-file.md", "utf8")

/** The names of all members of a schema, those of its parts included. */
function membersOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return []
  const { properties = {} } = schema as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(membersOf)]
}

/** The names of all members of a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

test("docs/shop-file.md names every field of the shop file", () => {
  const method = { offshore: {} }
  const law = { countries: { DE: {} } }
  const app = { name: "VLC", devices: ["ios"], store: "https://example.test" }
  const parsed = shopFileFields(JSON.stringify({ methods: method, legal: { law }, apps: [app] }))
  if (!parsed.ok) throw new Error(parsed.problem)
  expect(new Set(namesIn(parsed.fields)).size).toBeGreaterThan(40)
  expect(unnamed(namesIn(parsed.fields))).toEqual([])
})

test.each([
  ["the rules of tax", TaxFile],
  ["the catalogue", CatalogueShape],
])("docs/shop-file.md names every field of %s", (_, schema) => {
  const members = membersOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))
  expect(new Set(members).size).toBeGreaterThan(10)
  expect(unnamed(members)).toEqual([])
})

function unnamed(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !page.includes(`\`${name}\``) && !page.includes(`"${name}"`))
}
