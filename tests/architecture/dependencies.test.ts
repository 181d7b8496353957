import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"

const Versions = z.record(z.string(), z.string())
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
})
const Locked = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const Lock = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), Locked) })

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"))
const manifest = Manifest.parse(read("package.json"))
const { packages } = Lock.parse(read("package-lock.json"))
const locked = Object.entries(packages).filter(([path]) => path !== "")
const ofTheShop = locked.filter(([, it]) => !it.dev && !it.optional)
const paths = (entries: typeof locked) => entries.map(([path]) => path)

test("every dependency has an exact version, the same as in the lock file", () => {
  const requestedVersions = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  }
  for (const [name, version] of Object.entries(requestedVersions)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version])
  }
})

test("packages come from the registry only, and every package of the shop has a SHA-512 digest in the lock file", () => {
  const elsewhere = locked.filter(([, it]) => it.link || !/^(https:\/\/|$)/.test(it.resolved ?? ""))
  expect(paths(elsewhere)).toEqual([])
  const unsealed = ofTheShop.filter(([, it]) => !/^sha512-[\w+/]{86}==$/.test(it.integrity ?? ""))
  expect(paths(unsealed)).toEqual([])
  // The lock file has no digest for optional build tools of other platforms; npm does not install them on this one.
  const unknown = locked.filter(([, it]) => !it.integrity)
  expect(paths(unknown.filter(([, it]) => !(it.dev && it.optional)))).toEqual([])
})

test("no package of the shop has an install script", () => {
  expect(paths(ofTheShop.filter(([, it]) => it.hasInstallScript))).toEqual([])
  process.stdout.write(`packages of the shop: ${ofTheShop.length}, with a digest: ${ofTheShop.length}\n`)
  expect(ofTheShop.length).toBeGreaterThan(Object.keys(manifest.dependencies).length)
})
