import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { sourceFiles } from "../architecture/source-modules"

/** Documents about how the project is built. Others also name what is of other programs, or gone. */
const documents = [
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/newcomers-walk.md",
  ...["app/billing", "app/billing/embedded/db", "app/documents", "app/server", "app/ssr"].map(
    (folder) => `${folder}/README.md`,
  ),
]

/** What a page has in backticks, outside its blocks. */
function codeIn(file: string): string[] {
  const text = readFileSync(file, "utf8").replace(/^```[\s\S]*?^```/gm, "")
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code)
}

const folders = readdirSync("app", { withFileTypes: true })
  .filter((it) => it.isDirectory())
  .map(({ name }) => name)
const endings = ["", ".ts", ".tsx", ".server.ts", ".server.tsx"]

/** Modules and folders of the app that a page names without `app/` and ending, such as `domain/catalogue/pricing`. */
function modulesIn(file: string): string[] {
  return codeIn(file).filter(
    (code) => /^[\w-]+(\/[\w-]+)+$/.test(code) && folders.includes(code.split("/")[0] ?? ""),
  )
}

test.each(documents)("every module that %s names is in the app", (file) => {
  const missing = modulesIn(file).filter(
    (path) => !endings.some((ending) => existsSync(`app/${path}${ending}`)),
  )
  expect(missing).toEqual([])
})

test("the documents name modules", () => {
  expect(modulesIn("docs/architecture.md")).toContain("billing/embedded/payments/settlement")
  expect(modulesIn("docs/newcomers-walk.md").length).toBeGreaterThan(30)
})

const source = ["app", "tests", "scripts"]
  .flatMap(sourceFiles)
  .map((file) => readFileSync(file, "utf8"))
  .join("\n")
const words = new Set(source.match(/[A-Za-z_]\w*/g))

/** Names in camel case and Pascal case: functions, types and tables. */
function namesIn(file: string): string[] {
  return codeIn(file).filter((code) => /^[A-Za-z]+[a-z][A-Z]\w*$/.test(code))
}

test.each(documents)("every name of a function or type that %s has is in the source", (file) => {
  expect(namesIn(file).filter((name) => !words.has(name))).toEqual([])
})

test("the documents have names", () => {
  expect(namesIn("CONTRIBUTING.md")).toContain("enqueueJob")
})
