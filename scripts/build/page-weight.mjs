import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"

const ADDRESS = /\/checkout\/assets\/([\w.-]+)/g
const IMPORT = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g
const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/
const FONT = /rel="preload" href="[^"]*\/([\w.-]+\.woff2)"/g
/** Every zod schema has a property of this name, which no minifier may rename. */
const ZOD = /\b_zod\b/

/**
 * What a browser loads for a page, in bytes as transferred (compressed).
 * @typedef {{ script: number, scriptFiles: number, style: number, fonts: number, zod: string[] }} Weight
 */

/**
 * Measures a page from its HTML and the files of the build: all script loaded without user interaction, including the
 * translations of its language. `zod`: loaded files that contain the validation library.
 * @param {string} html
 * @param {string} client the folder with the browser's files
 * @returns {Weight}
 */
export function weigh(html, client) {
  const file = (/** @type {string} */ name) => join(client, "assets", name)
  const scripts = new Set(matches(html, ADDRESS).filter((name) => name.endsWith(".js")))
  // Iterating a Set visits entries that are added on the way, so transitive imports are included.
  for (const name of scripts) for (const next of importsOf(file(name))) scripts.add(next)
  const style = STYLE.exec(html)?.[1] ?? ""
  const sum = (/** @type {Iterable<string>} */ names) =>
    [...names].reduce((bytes, name) => bytes + bytesOf(file(name)), 0)
  return {
    script: sum(scripts),
    scriptFiles: scripts.size,
    style: brotliCompressSync(style, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }).length,
    fonts: sum(new Set(matches(html, FONT))),
    zod: [...scripts].filter((name) => ZOD.test(readFileSync(file(name), "utf8"))),
  }
}

/** @param {string} file */
const importsOf = (file) => matches(readFileSync(file, "utf8"), IMPORT)

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function matches(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found = ""]) => found)
}

/**
 * Transferred size: that of the compressed file if one exists.
 * @param {string} file
 */
function bytesOf(file) {
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
}
