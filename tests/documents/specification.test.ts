import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { calls } from "~/billing-api/contract/endpoints"
import { localizedPaths, machinePaths } from "../architecture/localized-paths"

const page = readFileSync("docs/specification.md", "utf8")

/** The rows of a table, by the heading that it is under. */
function rowsUnder(heading: string): readonly string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`)
  return (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "))
}

const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

test("docs/specification.md names the path of every screen", () => {
  const named = rowsUnder("Screens").flatMap((row) => codesIn(row.split("|")[1] ?? ""))
  const spelt = (path: string) =>
    path.replace("proforma/:file", "proforma/ORDER").replace("documents/:file", "documents/NUMBER")
  expect(named.toSorted()).toEqual(localizedPaths.map(spelt).toSorted())
})

test("docs/specification.md names every address that machines call", () => {
  const named = rowsUnder("Requests of machines").flatMap((row) => codesIn(row.split("|")[2] ?? ""))
  const spelt = (path: string) => path.replace(":gateway", "GATEWAY").replace(":call", "CALL")
  expect(named.toSorted()).toEqual(machinePaths.map(spelt).toSorted())
})

test("docs/specification.md names every call of the billing API with its method", () => {
  const named = rowsUnder("Billing API").flatMap((row) => {
    const [, method = "", paths = ""] = row.split("|")
    return codesIn(paths).map((path) => `${method.trim()} ${path}`)
  })
  const expected = Object.entries(calls).map(([name, { method }]) => `${method} /${name}`)
  expect(named.toSorted()).toEqual([...expected, "POST /checkout/aff/new_click"].toSorted())
})
