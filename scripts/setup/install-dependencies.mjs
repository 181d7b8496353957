import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter } from "node:path"
import { preparation } from "../run/run-foreground.mjs"
import { CliError } from "./cli-error.mjs"
import { inProject } from "./project-root.mjs"

const STAMP = inProject("node_modules", ".installed-lock")

/** Installs the packages of the lock file unless exactly those are installed. Throws a `CliError` if npm fails. */
export async function installDependencies() {
  const wanted = lockHash()
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return
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
