import { afterAll, expect, test } from "vitest"
import { cyclesIn } from "./import-cycles"
import { adapters, namesAdapters, rows } from "./import-map"
import { appModules, type Import, type Module, sourceFiles } from "./source-modules"

const modules = appModules()

test.each(Object.keys(rows))("%s imports only what it may", (folder) => {
  const trespasses = modulesOf(folder).flatMap((module) =>
    module.imports.filter((it) => !mayImport(folder, it)).map(({ target }) => `${module.file} → ${target}`),
  )
  expect(trespasses).toEqual([])
})

test("every module of the app has a row, and every row a module", () => {
  expect(modules.filter(({ name }) => rowOf(name) === null).map(({ file }) => file)).toEqual([])
  expect(Object.keys(rows).filter((place) => modulesOf(place).length === 0)).toEqual([])
})

test("no module imports itself over others, not even by a type", () => {
  expect(cyclesIn(modules)).toEqual([])
})

test("only the wiring and the operator's commands name an adapter", () => {
  const naming = modules
    .filter(
      ({ name }) => !namesAdapters.some((folder) => name.startsWith(`${folder}/`)) && !adapters.test(name),
    )
    .flatMap(({ file, imports }) => imports.filter(({ target }) => adapters.test(target)).map(() => file))
  expect(naming).toEqual([])
})

test("the environment is read in the server's entry and nowhere else", () => {
  expect(filesWith(/\bprocess\.env\b/)).toEqual(["app/server/main.server.ts"])
})

test("only app/http calls out, and the browser's poll", () => {
  const calling = filesWith(/(?<![.\w])fetch\(/).filter((file) => !file.startsWith("app/http/"))
  expect(calling).toEqual(["app/ui/waiting/fetch-order-version.ts"])
})

test("only React Router's own modules lie at the root of the app", () => {
  const atRoot = modules.filter(({ name }) => !name.includes("/")).map(({ file }) => file)
  expect(atRoot.sort()).toEqual([
    "app/entry.client.tsx",
    "app/entry.server.tsx",
    "app/root.tsx",
    "app/routes.ts",
  ])
})

test("no module has the name of a folder beside it", () => {
  const folders = new Set(modules.map(({ name }) => name.slice(0, name.lastIndexOf("/"))))
  const twins = modules.filter(({ name }) => name !== "routes" && folders.has(name.replace(/\.server$/, "")))
  expect(twins.map(({ file }) => file)).toEqual([])
})

test("zod does not travel to the browser with the screens", () => {
  const reached = reachableFrom(modulesOf("ui"))
  expect(reached.some(({ name }) => name.startsWith("domain/"))).toBe(true)
  expect(
    reached.filter((it) => it.imports.some(({ target }) => /zod/.test(target))).map(({ file }) => file),
  ).toEqual([])
})

test("no file or folder is named after nothing in particular", () => {
  const vague = /(^|\/|[-.])(utils?|helpers?|misc|common|managers?)([-.]|\/|$)/i
  expect(["app", "tests", "scripts"].flatMap(sourceFiles).filter((file) => vague.test(file))).toEqual([])
})

/** Worth a look, not a rule: a folder with many modules may have become a drawer. */
afterAll(() => {
  const folders = modules.map(({ file }) => file.slice(0, file.lastIndexOf("/")))
  const counts = [...new Set(folders)].map((folder) => ({
    folder,
    count: folders.filter((it) => it === folder).length,
  }))
  const large = counts.filter(({ count }) => count > 20).sort((a, b) => b.count - a.count)
  const lines = large.map(({ folder, count }) => `  ${folder}/ ${count}`)
  process.stdout.write(`Folders of more than 20 modules:\n${lines.join("\n")}\n`)
})

function modulesOf(folder: string): Module[] {
  return modules.filter(({ name }) => rowOf(name) === folder)
}

/** The row that a module is held to: its own, or that of the innermost folder that has one. */
function rowOf(name: string): string | null {
  const fitting = Object.keys(rows).filter((place) => name === place || name.startsWith(`${place}/`))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null
}

function mayImport(folder: string, { target, isPackage }: Import): boolean {
  const { modules: allowed, packages } = rows[folder] ?? { modules: [] }
  if (isPackage) return packages === undefined || isWithin(target, packages)
  return rowOf(target) === folder || isWithin(target, allowed)
}

function isWithin(target: string, allowed: readonly string[]): boolean {
  return allowed.some((it) => target === it || target.startsWith(`${it}/`))
}

function filesWith(pattern: RegExp): string[] {
  return modules.filter(({ text }) => pattern.test(text)).map(({ file }) => file)
}

/** The modules and all that comes with them when they are loaded; types do not come along. */
function reachableFrom(start: readonly Module[]): Module[] {
  const reached = new Set(start)
  for (const module of reached) {
    const loaded = module.imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ target }) => target)
    for (const next of modules) if (loaded.includes(next.name)) reached.add(next)
  }
  return [...reached]
}
