import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { sourceFiles } from "../architecture/source-modules"

/** The files that explain a mechanism and name the tests that hold its invariants. */
const explained = [
  "app/ssr/README.md",
  "app/billing/README.md",
  "app/billing/embedded/db/README.md",
  "app/server/README.md",
]

test.each(explained)("every test that %s names exists", (file) => {
  const rows = [...readFileSync(file, "utf8").matchAll(/^\|.*\| `(.+)` \|$/gm)].map(([, title = ""]) => title)
  expect(rows.length).toBeGreaterThan(5)
  const paths = ["app", "tests"].flatMap(sourceFiles).filter((path) => /\.(test|spec)\.tsx?$/.test(path))
  const tests = paths.map((path) => readFileSync(path, "utf8")).join("\n")
  expect(rows.filter((title) => !tests.includes(`"${title}"`))).toEqual([])
})

test.each(explained)("every file that %s names exists", (file) => {
  const folder = file.slice(0, file.lastIndexOf("/"))
  const named = [...readFileSync(file, "utf8").matchAll(/`([\w./-]+\.(?:tsx?|mjs|md))`/g)]
  const paths = named.map(([, path = ""]) => path)
  const found = (path: string) => [path, `${folder}/${path}`, `${folder}/engines/${path}`].some(existsSync)
  expect(paths.filter((path) => !found(path))).toEqual([])
})

test("app/ssr/README.md names every test on React Router's internals", () => {
  const titles = readFileSync("app/ssr/react-router-internals.test.tsx", "utf8").matchAll(
    /^test\("([^"]+)"/gm,
  )
  const readme = readFileSync("app/ssr/README.md", "utf8")
  const left = [...titles].map(([, title = ""]) => title).filter((title) => !readme.includes(`\`${title}\``))
  expect(left).toEqual([])
})
