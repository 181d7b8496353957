import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

/** Paths of the folders in the tree of docs/architecture.md, which has one folder per line. */
function foldersInTree(): string[] {
  const [, tree = ""] = readFileSync("docs/architecture.md", "utf8").split("```")
  const path: string[] = []
  return [...tree.matchAll(/^( *)([\w-]+)\/(?: |$)/gm)].map(([, indent = "", name = ""]) => {
    path.splice(indent.length / 2, path.length, name)
    return path.join("/")
  })
}

const children = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((it) => it.isDirectory() && !it.name.startsWith("."))
    .map(({ name }) => `${folder}/${name}`)

test("every folder in the tree of docs/architecture.md exists", () => {
  const folders = foldersInTree()
  expect(folders).toContain("app/server/overload")
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([])
})

test("the tree of docs/architecture.md contains every folder of the app, its billing engine, flows, middleware, routes and server, tests and scripts", () => {
  const folders = foldersInTree()
  const existing = [
    "app",
    "app/billing/embedded",
    "app/flows",
    "app/middleware",
    "app/routes",
    "app/server",
    "tests",
    "scripts",
  ].flatMap(children)
  expect(existing.filter((folder) => !folders.includes(folder))).toEqual([])
})
