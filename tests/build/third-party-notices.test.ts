import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { installedPackages, noticesOf, writeNotices } from "../../scripts/build/third-party-notices.mjs"

let build: string
beforeEach(() => {
  build = mkdtempSync(join(tmpdir(), "boxoffice-notices-"))
})
afterEach(() => rmSync(build, { recursive: true }))

function write(file: string, content: unknown): void {
  mkdirSync(dirname(join(build, file)), { recursive: true })
  writeFileSync(join(build, file), JSON.stringify(content))
}

const licence = (name: string) => ({ name, version: "1.0.0", identifier: "MIT", text: `text of ${name}` })

test("the notices have the licence text of everything in the bundles, and those for browsers only what browsers load", () => {
  write("client/.vite/license.json", [licence("in-page"), licence("in-both")])
  write("client/.vite/service-worker-license.json", [licence("in-worker")])
  write("server/.vite/license.json", [licence("in-server"), licence("in-both"), licence("boxoffice")])
  write("client/assets/lato-latin-400-normal-x.woff2", "")
  writeNotices(build)

  const browser = readFileSync(join(build, "client", "third-party-notices.txt"), "utf8")
  const all = readFileSync(join(build, "third-party-notices.txt"), "utf8")
  for (const name of ["in-page", "in-both", "in-worker"]) {
    expect(browser).toContain(`${name} 1.0.0 (MIT)\n\ntext of ${name}\n`)
    expect(all.split(`text of ${name}\n`)).toHaveLength(2)
  }
  expect(browser).not.toContain("in-server")
  expect(all).toContain("text of in-server")
  expect(all).not.toContain("text of boxoffice")
  expect(existsSync(join(build, "client", ".vite", "license.json"))).toBe(false)
})

test("the changed fonts have their licence, their reserved name and what was changed", () => {
  for (const list of [
    "client/.vite/license.json",
    "client/.vite/service-worker-license.json",
    "server/.vite/license.json",
  ])
    write(list, [])
  write("client/assets/lato-latin-400-normal-x.woff2", "")
  writeNotices(build)
  const browser = readFileSync(join(build, "client", "third-party-notices.txt"), "utf8")
  expect(browser).toContain('with Reserved Font Name "Lato"')
  expect(browser).toContain("SIL OPEN FONT LICENSE Version 1.1")
  expect(browser).toContain('the reserved font name "Lato" is replaced by "Kino"')
})

test("every package that the server loads has its licence text", () => {
  const packages = installedPackages()
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"))
  expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  expect(() => noticesOf(packages)).not.toThrow()
  const notices = noticesOf(packages)
  for (const { name, version } of packages) expect(notices).toContain(`${name} ${version} (`)
})

test("a package without a licence text stops the build with its name", () => {
  const nameless = { name: "without", version: "2.0.0", identifier: "SEE LICENSE IN nowhere" }
  expect(() => noticesOf([licence("with"), nameless])).toThrow("No licence text found for without 2.0.0")
})
