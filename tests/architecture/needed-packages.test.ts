import { expect, test } from "vitest"
import { type Module, readModule, sourceFiles } from "./source-modules"

/** Test modules that start a program, and the package that contains the program. */
const starters = {
  "../tests/support/browser/firefox": "firefox-esr",
  "../tests/support/browser/virtual-display": "xvfb",
  "../tests/support/browser/webkit": "webkit2gtk-driver",
  "../tests/support/db/postgres": "postgresql",
  "../tests/support/db/pgbouncer": "pgbouncer",
  "../tests/support/server/nginx": "nginx-light",
}

const modules = new Map(sourceFiles("tests").map((file) => [readModule(file).name, readModule(file)]))
const specs = [...modules.values()].filter(({ file }) => file.endsWith(".spec.ts"))

test("every end-to-end test declares the packages it needs besides Chromium", () => {
  const silent = specs.flatMap((spec) =>
    packagesNeeded(spec)
      .filter((name) => !declared(spec).includes(name))
      .map((name) => `${spec.file} needs ${name}`),
  )
  expect(silent).toEqual([])
})

test("no end-to-end test declares a package that it does not need", () => {
  const idle = specs.flatMap((spec) =>
    declared(spec)
      .filter((name) => !packagesNeeded(spec).includes(name))
      .map((name) => `${spec.file} does not need ${name}`),
  )
  expect(idle).toEqual([])
  expect(new Set(specs.flatMap(declared))).toEqual(new Set(Object.values(starters)))
})

/** Package names in the calls of `needsPackages`. */
function declared({ text }: Module): string[] {
  const calls = [...text.matchAll(/\bneedsPackages\(([^)]*)\)/g)].map(([, names = ""]) => names)
  return calls.flatMap((names) => [...names.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name))
}

function packagesNeeded(spec: Module): string[] {
  const loaded = [...loadedBy(spec)].map(({ name }) => name)
  return Object.entries(starters).flatMap(([module, name]) => (loaded.includes(module) ? [name] : []))
}

function loadedBy(start: Module): Set<Module> {
  const loaded = new Set([start])
  for (const { imports } of loaded) {
    const values = imports.filter(({ isTypeOnly }) => !isTypeOnly)
    for (const { target } of values) {
      const module = modules.get(target)
      if (module) loaded.add(module)
    }
  }
  return loaded
}
