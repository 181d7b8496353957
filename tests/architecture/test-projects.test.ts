import { expect, test } from "vitest"
import { type Module, readModule, sourceFiles } from "./source-modules"

const modules = new Map(
  ["app", "tests", "scripts"]
    .flatMap(sourceFiles)
    .map(readModule)
    .map((module) => [module.name, module]),
)
const tests = [...modules.values()].filter(({ file }) => /\.test\.tsx?$/.test(file))
const databases = ["node:sqlite", "pg", "kysely"]
const endings = [".test", ".db.test", ".deep.test", ".deep.db.test"]

test("every test file name has the suffix of one Vitest project", () => {
  const unknown = tests.filter(({ file }) => {
    const [, ending = ""] = /^[^.]+(\.[a-z.]+)\.tsx?$/.exec(file) ?? []
    return !endings.includes(ending)
  })
  expect(unknown.map(({ file }) => file)).toEqual([])
  for (const ending of endings) expect(tests.some(({ file }) => file.endsWith(`${ending}.ts`))).toBe(true)
})

test("a test that reaches a database is named X.db.test.ts or X.deep.db.test.ts", () => {
  const inUnitTests = tests.filter(({ file }) => !file.includes(".db.test."))
  expect(inUnitTests.length).toBeGreaterThan(100)
  expect(inUnitTests.filter(reachesDatabase).map(({ file }) => file)).toEqual([])
})

test("a test that is named X.db.test.ts or X.deep.db.test.ts reaches a database", () => {
  const inDatabaseTests = tests.filter(({ file }) => file.includes(".db.test."))
  expect(inDatabaseTests.filter((module) => !reachesDatabase(module)).map(({ file }) => file)).toEqual([])
})

/** Whether a test loads a database driver, directly or transitively, or injects the test run's PostgreSQL. */
function reachesDatabase(start: Module): boolean {
  if (/\binject\("postgres"\)/.test(start.text)) return true
  const packages = [...loadedBy(start)].flatMap(valuesOf).filter(({ isPackage }) => isPackage)
  return packages.some(({ target }) => databases.includes(target))
}

function loadedBy(start: Module): Set<Module> {
  const loaded = new Set([start])
  for (const module of loaded) {
    const next = valuesOf(module).map(({ target }) => modules.get(target) ?? modules.get(`${target}.server`))
    for (const it of next) if (it) loaded.add(it)
  }
  return loaded
}

const valuesOf = ({ imports }: Module) => imports.filter(({ isTypeOnly }) => !isTypeOnly)
