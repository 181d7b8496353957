import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { inProject } from "../setup/project-root.mjs"

const STAMP = inProject("build", "sources.sha256")
const SOURCES = [
  "app",
  "package-lock.json",
  "package.json",
  "public",
  "react-router.config.ts",
  "scripts/build",
  "scripts/commands/build.mjs",
  // What the scripts of the build import.
  "scripts/run/exit-with-parent.mjs",
  "scripts/run/supervise.mjs",
  "scripts/setup/cli-error.mjs",
  "scripts/setup/node-binary.mjs",
  "scripts/setup/project-root.mjs",
  "tsconfig.json",
  "vite.config.ts",
]

/** Every file whose change makes a build outdated. */
export function buildInputs() {
  return SOURCES.flatMap(filesOf)
}

/**
 * Hashes the names and contents of all build inputs. Modification times are not used: a checkout, a copy or a deleted
 * file must still invalidate an old build.
 */
export function hashOfSources() {
  const hash = createHash("sha256")
  for (const file of buildInputs()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(inProject(file)))
      .update("\0")
  }
  return hash.digest("hex")
}

/** Whether build/ was built from the current sources. */
export function buildIsCurrent() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === hashOfSources()
}

/** Called before a build, so that an interrupted build counts as none. */
export function clearBuildStamp() {
  rmSync(STAMP, { force: true })
}

/** @param {string} sources the hash as it was before building: an edit during the build is built next time */
export function writeBuildStamp(sources) {
  writeFileSync(STAMP, sources)
}

/**
 * @param {string} path a file, or a folder whose tests do not count
 * @returns {string[]}
 */
function filesOf(path) {
  return statSync(inProject(path)).isDirectory() ? filesIn(path) : [path]
}

/**
 * Each start reads these names, so the types of the entries are read with them.
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  const entries = readdirSync(inProject(folder), { withFileTypes: true })
  const inOrder = entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  return inOrder.flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (/\.test\.tsx?(\.snap)?$/.test(path)) return []
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}
