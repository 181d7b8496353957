import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { appModules, type Import, type Module, sourceFiles } from "./source-map"

const ports = [
  "billing/billing",
  "billing/till",
  "billing/outbox",
  "gateways/gateway",
  "provisioning/provisioner",
]
const context = [
  ...["affiliate.server", "in-place", "locale.server", "request.server", "services.server", "session.server"],
]
const billingPorts = ["billing", "customers", "outbox", "resellers", "service-book", "till", "visits"].map(
  (port) => `billing/${port}`,
)

/**
 * Who may import whom inside app/, besides its own folder. What a row does not name, that folder may not import; a
 * folder inside another has a row of its own when it is an adapter. Packages are named where few are right.
 */
const rows: Record<string, { modules: readonly string[]; packages?: readonly string[] }> = {
  domain: { modules: [], packages: ["zod"] },
  http: { modules: ["domain"] },
  locales: { modules: ["domain"], packages: ["i18next", "react"] },
  ui: {
    modules: ["domain", "locales", "http/order-status", "password-strength"],
    packages: ["react", "react-router", "@tanstack/react-query", "@fontsource/lato"],
  },
  billing: { modules: ["domain"] },
  "billing/embedded": { modules: [...billingPorts, "domain"] },
  gateways: { modules: ["domain", "http"] },
  "gateways/sandbox": { modules: ["domain", "http"] },
  geo: { modules: ["domain", "http"] },
  provisioning: { modules: ["domain"] },
  "provisioning/local": { modules: ["provisioning/provisioner", "domain"] },
  "provisioning/webhook": { modules: ["provisioning/provisioner", "domain", "http"] },
  books: {
    modules: [
      "billing/embedded",
      "billing/till",
      "config.server",
      "domain",
      "gateways/gateway",
      "gateways/forged-callback",
      "local-secrets.server",
      "signature.server",
      "signed-link.server",
    ],
  },
  flows: {
    modules: ["domain", ...ports, "password-strength", "services.server", "signed-link.server"],
    packages: [],
  },
  middleware: {
    modules: [
      ...["domain", "flows", "http/accept-language.server", "http/cookie.server", "http/form.server"],
      ...context,
    ],
    packages: ["react-router", "isbot", "@conform-to/zod"],
  },
  routes: {
    modules: [
      "document",
      "domain",
      "flows",
      "http/form.server",
      "locales",
      "middleware",
      ...ports,
      "problem.server",
      "ui",
      ...context,
    ],
  },
  server: {
    modules: [
      "domain",
      "flows",
      "http/ip-address.server",
      "problem.server",
      "request.server",
      "services.server",
      "written-page.server",
    ],
  },
}

/** Adapters by name, and the modules at the top of app/ that are there to name them. */
const adapters =
  /^(billing\/embedded|gateways\/(?!gateway$)|geo\/(?!country-lookup$)|provisioning\/(?!provisioner$))/
const namesAdapters = ["wiring.server", "wiring-gateways.server"]

const modules = appModules()

test.each(Object.keys(rows))("%s imports only what it may", (folder) => {
  const trespasses = modulesOf(folder).flatMap((module) =>
    module.imports.filter((it) => !mayImport(folder, it)).map(({ target }) => `${module.file} → ${target}`),
  )
  expect(trespasses).toEqual([])
})

test("every folder of the app has a row, and every row a folder", () => {
  const inFolders = modules.filter(({ name }) => name.includes("/"))
  expect(inFolders.filter(({ name }) => rowOf(name) === null).map(({ file }) => file)).toEqual([])
  expect(Object.keys(rows).filter((folder) => modulesOf(folder).length === 0)).toEqual([])
})

test("only the wiring and the operator's commands name an adapter", () => {
  const naming = modules
    .filter(({ name }) => !name.includes("/") && !namesAdapters.includes(name))
    .flatMap(({ file, imports }) => imports.filter(({ target }) => adapters.test(target)).map(() => file))
  expect(naming).toEqual([])
})

test("the environment is read in the server's entry and nowhere else", () => {
  expect(filesWith(/\bprocess\.env\b/)).toEqual(["app/server.ts"])
})

test("only app/http calls out", () => {
  expect(filesWith(/(?<![.\w])fetch\(/).filter((file) => !file.startsWith("app/http/"))).toEqual([])
})

test("zod does not travel to the browser with the screens", () => {
  const reached = reachableFrom(modulesOf("ui"))
  expect(reached.some(({ name }) => name.startsWith("domain/"))).toBe(true)
  expect(
    reached.filter((it) => it.imports.some(({ target }) => /zod/.test(target))).map(({ file }) => file),
  ).toEqual([])
})

test("no file is longer than a reader can hold in mind", () => {
  const files = ["app", "tests", "scripts"]
    .flatMap(sourceFiles)
    .filter((file) => !file.startsWith("app/locales/"))
  expect(files.filter((file) => readFileSync(file, "utf8").split("\n").length > 181)).toEqual([])
})

test("no file or folder is named after nothing in particular", () => {
  const vague = /(^|\/|[-.])(utils?|helpers?|misc|common|managers?)([-.]|\/|$)/i
  expect(["app", "tests", "scripts"].flatMap(sourceFiles).filter((file) => vague.test(file))).toEqual([])
})

function modulesOf(folder: string): Module[] {
  return modules.filter(({ name }) => rowOf(name) === folder)
}

/** The row that speaks for a module: the innermost folder that has one; null at the top of app/. */
function rowOf(name: string): string | null {
  const fitting = Object.keys(rows).filter((folder) => name.startsWith(`${folder}/`))
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
