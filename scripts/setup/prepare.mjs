import { existsSync } from "node:fs"
import { buildIsCurrent } from "../build/build-stamp.mjs"
import { preparation } from "../run/supervise.mjs"
import { CliError } from "./cli-error.mjs"
import { withFileLock } from "./file-lock.mjs"
import { installDependencies } from "./install-dependencies.mjs"
import { installSystemPrograms } from "./install-system-packages.mjs"
import { projectNode } from "./node-binary.mjs"
import { inProject } from "./project-root.mjs"

/** The built server: shop, sandbox and admin CLI in one program. */
export const serverProgram = inProject("build", "server", "index.js")

/**
 * Node's option for the settings in `.env`, if the project has one. `npm start` and the admin CLI take it; tests, bench and
 * soak do not, because they set all settings themselves. The environment's variables have precedence.
 */
export const settingsFile = existsSync(inProject(".env")) ? [`--env-file=${inProject(".env")}`] : []

/**
 * Node's options for the server. V8 lets its space for new objects grow to 64 MB under load; with 16, eight for each half, an instance
 * needs a sixth less memory, and a purchase hardly more processor time (docs/performance.md, Memory under load).
 */
export const serverNodeOptions = ["--max-semi-space-size=8"]

/**
 * Where Node keeps what it has compiled of the server for the next start; the next build deletes it. Node ignores what is missing,
 * damaged or of another version, and a folder that it cannot write.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inProject("build", "server", ".compile-cache"),
}

/** Held during the build, which replaces a folder. */
const BUILD_LOCK = inProject(".building")

/** Installs and builds what is missing or outdated. Throws a `CliError`. */
export async function installAndBuild() {
  await installDependencies()
  if (buildIsCurrent()) return
  await withFileLock(BUILD_LOCK, buildOnce, (pid) =>
    console.error(`Waiting for process ${pid}, which builds …`),
  )
}

/** Another command may have built while this one waited. */
async function buildOnce() {
  if (buildIsCurrent()) return
  console.error("Building …")
  const code = await preparation(projectNode(), [inProject("scripts", "commands", "build.mjs")])
  if (code !== 0) throw new CliError("The build failed; its output is above. Nothing was started.")
}

/**
 * Installs the packages of the lock file, and the tests' system packages where `installSystemPrograms` may. Throws a
 * `CliError`.
 * @param {readonly string[]} packages
 * @returns {Promise<{ missing: readonly string[], seconds: number }>}
 */
export async function prepareTests(packages) {
  const began = performance.now()
  await installDependencies()
  const missing = await installSystemPrograms(packages)
  return { missing, seconds: (performance.now() - began) / 1_000 }
}
