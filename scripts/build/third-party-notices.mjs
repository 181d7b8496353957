import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CliError } from "../setup/cli-error.mjs"
import { inProject } from "../setup/project-root.mjs"
import { fontNames } from "./strip-font-hinting.mjs"

/** @typedef {{ name: string, version: string, identifier?: string, text?: string }} Licence as Vite lists it */

/** File with the notices: in a build for the whole product, and in its `client` for what browsers load. */
const FILE = "third-party-notices.txt"
/** What Vite lists of each bundle, by `build.license`. */
const LISTS = {
  pages: ["client", ".vite", "license.json"],
  serviceWorker: ["client", ".vite", "service-worker-license.json"],
  server: ["server", ".vite", "license.json"],
}
/** Also `NRO_LICENSE`. */
const LICENCE_FILE = /licen[cs]e|copying|notice/i
const RULE = "-".repeat(80)

/**
 * Writes the licences of everything that is in the bundles, and of the packages that the server loads as they are. Throws
 * a `CliError` for a package without a licence text.
 * @param {string} build
 */
export function writeNotices(build) {
  const read = (/** @type {string[]} */ list) =>
    /** @type {Licence[]} */ (JSON.parse(readFileSync(join(build, ...list), "utf8")))
  const browser = [
    ...read(LISTS.pages),
    ...read(LISTS.serviceWorker),
    ...fontsIn(join(build, "client", "assets")),
  ]
  const all = [...browser, ...read(LISTS.server), ...installedPackages()]
  writeFileSync(join(build, "client", FILE), noticesOf(browser))
  writeFileSync(join(build, FILE), noticesOf(all))
  for (const list of Object.values(LISTS)) rmSync(join(build, ...list))
}

/**
 * @param {readonly Licence[]} licences of packages of others, and of this one, which is left out
 * @returns {string}
 */
export function noticesOf(licences) {
  const { name: own } = JSON.parse(readFileSync(inProject("package.json"), "utf8"))
  const byName = new Map(
    licences.filter(({ name }) => name !== own).map((it) => [`${it.name} ${it.version}`, it]),
  )
  const sorted = [...byName].sort(([one], [other]) => (one < other ? -1 : 1))
  const missing = sorted.filter(([, { text }]) => !text).map(([name]) => name)
  if (missing.length > 0) throw new CliError(`No licence text found for ${missing.join(", ")}`)
  const parts = sorted.map(([name, { identifier, text }]) => `${name} (${identifier})\n\n${text}`)
  return ["This product contains the following software of others.", ...parts]
    .join(`\n\n${RULE}\n`)
    .concat("\n")
}

/**
 * The fonts of a build are files and no modules, so Vite does not list them.
 * @param {string} assets
 * @returns {Licence[]}
 */
function fontsIn(assets) {
  const fonts = readdirSync(assets).filter((file) => file.endsWith(".woff2"))
  const families = new Set(fonts.map((file) => file.slice(0, file.indexOf("-"))))
  return [...families].map((family) => {
    const licence = licenceOf(inProject("node_modules", "@fontsource", family))
    const change = `The fonts are modified versions: hinting is removed, and the reserved font name "${fontNames.from}" is replaced by "${fontNames.to}".`
    return { ...licence, text: `${change}\n\n${licence.text}` }
  })
}

/**
 * The packages of the lock file that the product needs to run.
 * @returns {Licence[]}
 */
export function installedPackages() {
  /** @type {{ packages: Record<string, { dev?: boolean, optional?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"))
  const needed = Object.entries(packages).filter(
    ([path, { dev, optional }]) => path !== "" && !dev && !optional,
  )
  return needed.map(([path]) => licenceOf(inProject(path)))
}

/**
 * @param {string} folder of a package
 * @returns {Licence}
 */
function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim())
  const text = texts.join("\n\n") || declaredText(license, typeof author === "object" ? author.name : author)
  return { name, version, identifier: license, text }
}

/**
 * Text of the licence that a package declares without enclosing it; empty for any other than MIT.
 * @param {string} identifier
 * @param {string} [author]
 */
function declaredText(identifier, author = "its authors") {
  return identifier === "MIT" ? `The MIT License (MIT)\n\nCopyright (c) ${author}\n\n${MIT}` : ""
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to
whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
