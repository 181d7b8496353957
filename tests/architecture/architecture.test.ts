import { afterAll, expect, test } from "vitest"
import { cyclesIn } from "./import-cycles"
import { adapters, namesAdapters, rows } from "./import-map"
import { appModules, type Import, type Module, sourceFiles } from "./source-modules"

const modules = appModules()

test.each(Object.keys(rows))("app/%s has only the imports of its row", (folder) => {
  const trespasses = modulesOf(folder).flatMap((module) =>
    module.imports.filter((it) => !mayImport(folder, it)).map(({ target }) => `${module.file} → ${target}`),
  )
  expect(trespasses).toEqual([])
})

test("every module of the app has a row in the import map, and every row has a module", () => {
  expect(modules.filter(({ name }) => rowOf(name) === null).map(({ file }) => file)).toEqual([])
  expect(Object.keys(rows).filter((place) => modulesOf(place).length === 0)).toEqual([])
})

test("the modules of the app have no import cycles, type imports included", () => {
  expect(cyclesIn(modules)).toEqual([])
})

/** Imports against the direction that stand for no confusion of subjects, and why. A star is every folder in there. */
const exceptions: Readonly<Record<string, string>> = {
  "billing/external/whmcs/* → billing/external/whmcs":
    "the entry of the adapter is there, and the context of a call, which it makes for all of them",
  "billing/external/whmcs/catalogue → billing/external/whmcs/customers":
    "the currencies of WHMCS are read with the one that a client has",
  "mail/messages/* → mail/messages":
    "the rendering is there, and the document that compose/ writes and the rendering reads",
}

test.each([
  "billing/embedded",
  "billing/external",
  "domain",
  "flows",
  "gateways",
  "i18n",
  "mail",
  "middleware",
  "routes",
  "server",
  "ui",
])("the folders of app/%s import each other in one direction", (area) => {
  const folders = foldersOf(area)
  expect(folders.length).toBeGreaterThan(1)
  expect(cyclesIn(folders.map(withoutExceptions))).toEqual([])
})

test("every exception from the direction in which folders import each other is needed", () => {
  const folders = [...foldersOf("billing/external"), ...foldersOf("mail")]
  const used = folders.flatMap((folder) => folder.imports.flatMap((it) => exceptionOf(folder, it) ?? []))
  expect([...new Set(used)].sort()).toEqual(Object.keys(exceptions))
})

test("only the wiring and the command line import adapters", () => {
  const naming = modules
    .filter(
      ({ name }) => !namesAdapters.some((folder) => name.startsWith(`${folder}/`)) && !adapters.test(name),
    )
    .flatMap(({ file, imports }) => imports.filter(({ target }) => adapters.test(target)).map(() => file))
  expect(naming).toEqual([])
})

test("the sandbox is imported on demand only: outside its folder there are type imports and one import()", () => {
  const outside = modules.filter(({ name }) => !name.startsWith("sandbox/"))
  const importing = outside.flatMap(({ file, imports }) =>
    imports.filter((it) => it.target.startsWith("sandbox/") && !it.isTypeOnly).map(() => file),
  )
  expect(importing).toEqual(["app/wiring/gateways.server.ts"])
  expect(filesWith(/await import\("~\/sandbox\/sandbox\.server"\)/)).toEqual(importing)
})

test("only the server's entry module reads process.env", () => {
  expect(filesWith(/\bprocess\.env\b/)).toEqual(["app/server/main.server.ts"])
})

test("only app/http sends requests of the server, and only the browser's polling and its steps call fetch", () => {
  expect(filesWith(/\bfrom "undici"|\bimport\("undici"\)/)).toEqual([
    "app/http/public-client.server.ts",
    "app/http/upstream-client.server.ts",
  ])
  expect(filesWith(/(?<![.\w])fetch\(/)).toEqual([
    "app/client/console/live-updates.ts",
    "app/ui/checkout/tell-step.ts",
    "app/ui/waiting/fetch-order-version.ts",
  ])
})

test("a page polls with @tanstack/react-query only", () => {
  const reloading = modules.filter(({ text }) => /\buseRevalidator\(/.test(text))
  expect(reloading.map(({ file }) => file)).toEqual([
    "app/ui/waiting/order-poller.tsx",
    "app/ui/waiting/page-poller.tsx",
  ])
  const polling = (it: Import) => it.target === "@tanstack/react-query"
  expect(reloading.filter(({ imports }) => !imports.some(polling)).map(({ file }) => file)).toEqual([])
  const inBrowser = /^app\/(client|ui)\/|^app\/(entry\.client|root)\.tsx$/
  expect(filesWith(/\bsetInterval\(/).filter((file) => inBrowser.test(file))).toEqual([
    // A document of the console, which has no React.
    "app/client/console/live-updates.ts",
    // A clock that asks nothing.
    "app/ui/waiting/countdown.tsx",
    // The script of a page that loads no other.
    "app/ui/waiting/fetch-order-version.ts",
  ])
})

test("only React Router's own modules are at the root of app/", () => {
  const atRoot = modules.filter(({ name }) => !name.includes("/")).map(({ file }) => file)
  expect(atRoot.sort()).toEqual([
    "app/entry.client.tsx",
    "app/entry.server.tsx",
    "app/root.tsx",
    "app/routes.ts",
  ])
})

test("no module has the same name as a folder", () => {
  const folders = new Set(modules.map(({ name }) => name.slice(0, name.lastIndexOf("/"))))
  const twins = modules.filter(({ name }) => name !== "routes" && folders.has(name.replace(/\.server$/, "")))
  expect(twins.map(({ file }) => file)).toEqual([])
})

test("the screens do not load zod in the browser", () => {
  const reached = reachableFrom(modulesOf("ui"))
  expect(reached.some(({ name }) => name.startsWith("domain/"))).toBe(true)
  expect(
    reached.filter((it) => it.imports.some(({ target }) => /zod/.test(target))).map(({ file }) => file),
  ).toEqual([])
})

test("no module that a browser may load imports anything of mail", () => {
  const reached = reachableFrom(["entry.client", "client", "i18n", "ui"].flatMap(modulesOf))
  expect(reached.filter(({ name }) => name.startsWith("mail/")).map(({ file }) => file)).toEqual([])
})

test("no file or folder has a generic name (utils, helpers, misc, common, manager)", () => {
  const vague = /(^|\/|[-.])(utils?|helpers?|misc|common|managers?)([-.]|\/|$)/i
  expect(["app", "tests", "scripts"].flatMap(sourceFiles).filter((file) => vague.test(file))).toEqual([])
})

/** Prints large folders without failing: a folder with many modules may mix several concepts. */
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

/** The folders of an area, each as a module that imports folders. */
function foldersOf(area: string): Module[] {
  const ofArea = modules.filter(({ name }) => name.startsWith(`${area}/`))
  return [...new Set(ofArea.map(({ name }) => folderOf(name)))].map((folder) => {
    const inside = ofArea.filter(({ name }) => folderOf(name) === folder)
    const imports = inside.flatMap((module) =>
      module.imports
        .map((it) => ({ ...it, target: folderOf(it.target) }))
        .filter(({ target, isPackage }) => !isPackage && target !== folder),
    )
    return { file: folder, name: folder, text: "", imports }
  })
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"))
}

function withoutExceptions(folder: Module): Module {
  return { ...folder, imports: folder.imports.filter((it) => exceptionOf(folder, it) === null) }
}

/** The key of the exception by which a folder imports another one; null: there is none. */
function exceptionOf({ name }: Module, { target }: Import): string | null {
  const around = name.startsWith(`${target}/`) ? [`${target}/* → ${target}`] : []
  return [`${name} → ${target}`, ...around].find((it) => it in exceptions) ?? null
}

/** The row that applies to a module: its own, or that of the innermost folder that has one. */
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

/** The modules and all their transitive imports at run time, without type imports. */
function reachableFrom(start: readonly Module[]): Module[] {
  const reached = new Set(start)
  for (const module of reached) {
    const loaded = module.imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ target }) => target)
    for (const next of modules) if (loaded.includes(next.name)) reached.add(next)
  }
  return [...reached]
}
