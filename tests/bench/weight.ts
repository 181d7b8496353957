import { existsSync, readFileSync, statSync } from "node:fs"
import { brotliCompressSync, constants } from "node:zlib"
import { inProject } from "../../scripts/project-folder.mjs"

/** What a browser loads for a page, in bytes as they are sent. */
export type Weight = { script: number; scriptFiles: number; style: number; fonts: number }

const ADDRESS = /\/checkout\/assets\/[\w.-]+/g
const IMPORT = /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g

/** Weighs a page by its HTML and the files of the build: all script that is loaded without anybody pressing. */
export function weigh(html: string): Weight {
  const named = new Set(
    [...html.matchAll(ADDRESS)].map(([address]) => address.slice("/checkout/assets/".length)),
  )
  const scripts = new Set([...named].filter((name) => name.endsWith(".js")))
  // A set that grows is walked to its new end: imports of imports come along.
  for (const name of scripts) for (const [, next = ""] of textOf(name).matchAll(IMPORT)) scripts.add(next)
  const style = /<style[^>]*>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ""
  const preloaded = new Set(
    [...html.matchAll(/rel="preload" href="[^"]*\/([\w.-]+\.woff2)"/g)].map(([, it = ""]) => it),
  )
  return {
    script: sum(scripts),
    scriptFiles: scripts.size,
    style: brotliCompressSync(style, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }).length,
    fonts: sum(preloaded),
  }
}

function sum(names: Iterable<string>): number {
  return [...names].reduce((bytes, name) => bytes + bytesOf(name), 0)
}

/** As sent to a browser: the packed file, where there is one. */
function bytesOf(name: string): number {
  const file = fileOf(name)
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
}

const fileOf = (name: string) => inProject("build", "client", "assets", name)
const textOf = (name: string) => readFileSync(fileOf(name), "utf8")
