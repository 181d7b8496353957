import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Time of replacement by file name. The file's own age does not help: a tab may have been opened just before the
 * release.
 */
const REPLACED = "replaced.json"

/**
 * Copies the assets of former builds into the new one, for seven days after their replacement. Pages that are open
 * during a release still request their old chunks.
 * @param {{ from: string, into: string, now: number }} builds folders of the last build and the new one
 */
export function keepPreviousAssets({ from, into, now }) {
  const current = new Set(namesIn(into))
  const replaced = replacedIn(from)
  /** @type {Record<string, number>} */
  const ages = {}
  for (const name of namesIn(from)) {
    const since = replaced[name] ?? now
    if (current.has(name) || now - since > WEEK_MS) continue
    linkSync(assets(from, name), assets(into, name))
    ages[name] = since
  }
  writeFileSync(join(into, REPLACED), JSON.stringify(ages))
}

/** @param {string[]} path */
const assets = (folder = "", ...path) => join(folder, "client", "assets", ...path)

/** @param {string} build */
function namesIn(build) {
  return existsSync(assets(build)) ? readdirSync(assets(build)) : []
}

/**
 * @param {string} build
 * @returns {Record<string, number>}
 */
function replacedIn(build) {
  const file = join(build, REPLACED)
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
}
