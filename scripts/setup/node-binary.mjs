import { existsSync, realpathSync } from "node:fs"
import { CliError } from "./cli-error.mjs"
import { inProject } from "./project-root.mjs"

/** Minimum Node version, equal to "engines" in package.json. */
const OLDEST = { major: 22, minor: 22 }

/**
 * Returns the path of the Node that the lock file pins, or of the running one if it is new enough. Throws a `CliError`.
 */
export function projectNode() {
  const pinned = inProject("node_modules", ".bin", "node")
  if (existsSync(pinned)) return realpathSync(pinned)
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new CliError(
    `This needs Node ${OLDEST.major}.${OLDEST.minor} or newer, and Node ${process.versions.node} is running. The ` +
      "project brings its own for Linux and macOS; on other machines install one from nodejs.org.",
  )
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)
}

/**
 * Returns the path of a development tool, to be run with `projectNode()`.
 * @param {string} name
 */
export const tool = (name) => inProject("node_modules", ".bin", name)
