import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

/** The folders that the tree in docs/architecture.md names, a line each, as paths. */
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

test("every folder of the app, its flows, tests and scripts is in the tree of docs/architecture.md", () => {
  const folders = foldersInTree()
  const there = ["app", "app/flows", "app/routes", "app/server", "tests", "scripts"].flatMap(children)
  expect(there.filter((folder) => !folders.includes(folder))).toEqual([])
})
