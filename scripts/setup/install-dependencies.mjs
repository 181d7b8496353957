import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter } from "node:path"
import { preparation } from "../run/supervise.mjs"
import { CliError } from "./cli-error.mjs"
import { withFileLock } from "./file-lock.mjs"
import { inProject } from "./project-root.mjs"

const STAMP = inProject("node_modules", ".installed-lock")

/** Held during the installation. Not in `node_modules`, which `npm ci` deletes. */
const LOCK = inProject(".installing")

/**
 * Installs the packages of the lock file; waits for another command that does. Nothing happens if exactly those are
 * installed. Throws a `CliError` if npm fails.
 */
export async function installDependencies() {
  if (isInstalled(lockHash())) return
  await withFileLock(LOCK, installOnce, (pid) =>
    console.error(`Waiting for process ${pid}, which installs packages …`),
  )
}

/** @param {string} wanted */
function isInstalled(wanted) {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted
}

/** Another command may have installed the packages while this one waited. */
async function installOnce() {
  const wanted = lockHash()
  if (isInstalled(wanted)) return
  console.error("Installing packages of package-lock.json …")
  // The build needs development packages; the pinned Node is an optional one.
  const requests = ["--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]
  const code = await preparation("npm", ["ci", ...requests], { PATH: pathWithoutProject() })
  if (code !== 0) throw new CliError("npm ci failed; its output is above. Nothing was started.")
  writeFileSync(STAMP, wanted)
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(inProject("package-lock.json")))
    .digest("hex")
}

/** npm must not run on the Node binary that it is about to replace. */
function pathWithoutProject() {
  const parts = (process.env.PATH ?? "").split(delimiter)
  return parts.filter((part) => !part.startsWith(inProject("node_modules"))).join(delimiter)
}
