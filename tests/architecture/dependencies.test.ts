import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"

const Versions = z.record(z.string(), z.string())
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
  packageManager: z.string(),
})
const Locked = z.object({
  optionalDependencies: Versions.optional(),
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const Lock = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), Locked) })

const Renovate = z.object({
  rangeStrategy: z.string(),
  packageRules: z.array(
    z.object({
      groupName: z.string(),
      matchPackageNames: z.array(z.string()),
      allowedVersions: z.string().optional(),
    }),
  ),
})

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

test("the lock file has the optional packages of every platform", () => {
  const known = locked.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
  const optional = Object.values(packages).flatMap((it) => Object.keys(it.optionalDependencies ?? {}))
  expect(optional.length).toBeGreaterThan(50)
  expect(optional.filter((name) => !known.includes(name))).toEqual([])
})

test("CONTRIBUTING.md names the npm version of package.json", () => {
  const version = manifest.packageManager.replace(/^npm@/, "")
  expect(readFileSync("CONTRIBUTING.md", "utf8")).toContain(`npx npm@${version} install --save-exact PACKAGE`)
})

test("packages come from the registry only, each with its version and a SHA-512 digest in the lock file", () => {
  const elsewhere = locked.filter(([, it]) => it.link || !/^(https:\/\/|$)/.test(it.resolved ?? ""))
  expect(paths(elsewhere)).toEqual([])
  // Also those of other platforms: `npm ci` fails on an entry without a version as soon as the registry has the package.
  expect(paths(locked.filter(([, it]) => !it.version))).toEqual([])
  expect(paths(locked.filter(([, it]) => !/^sha512-[\w+/]{86}==$/.test(it.integrity ?? "")))).toEqual([])
})

test("no package of the shop has an install script", () => {
  expect(paths(ofTheShop.filter(([, it]) => it.hasInstallScript))).toEqual([])
  process.stdout.write(`packages of the shop: ${ofTheShop.length}, with a digest: ${ofTheShop.length}\n`)
  expect(ofTheShop.length).toBeGreaterThan(Object.keys(manifest.dependencies).length)
})

/** Rows of the table in docs/decisions.md: package, files, what breaks without it. */
function packageRows(): { name: string; files: string[]; without: string }[] {
  const [, table = ""] = readFileSync("docs/decisions.md", "utf8").split("## Runtime packages")
  return [...table.matchAll(/^\| `([^`]+)` \| (.+?) \| (.+) \|$/gm)].map(
    ([, name = "", files = "", without = ""]) => ({
      name,
      files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
      without,
    }),
  )
}

test("docs/decisions.md has a row for every runtime package, and none for another", () => {
  expect(packageRows().map(({ name }) => name)).toEqual(Object.keys(manifest.dependencies).toSorted())
})

test("every file that docs/decisions.md names for a package exists and uses it", () => {
  const wrong = packageRows().flatMap(({ name, files }) =>
    files
      .filter(
        (file) => !existsSync(file) || !new RegExp(`"${name}(/[^"]*)?"`).test(readFileSync(file, "utf8")),
      )
      .map((file) => `${name}: ${file}`),
  )
  expect(wrong).toEqual([])
  expect(packageRows().filter(({ files, without }) => files.length === 0 || without.trim() === "")).toEqual(
    [],
  )
})

test("renovate.json keeps exact versions, and names packages of the project only", () => {
  const { rangeStrategy, packageRules } = Renovate.parse(read("renovate.json"))
  expect(rangeStrategy).toBe("pin")
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  const unknown = packageRules
    .flatMap(({ matchPackageNames }) => matchPackageNames)
    .filter(
      (wanted) =>
        wanted !== "node" &&
        !names.some((name) => name === wanted || name.startsWith(wanted.replace("**", ""))),
    )
  expect(unknown).toEqual([])
  const router = packageRules.find(({ groupName }) => groupName === "React Router")
  expect(router?.allowedVersions).toBe("<8")
})
