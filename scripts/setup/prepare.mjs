import { buildIsCurrent } from "./build-age.mjs"
import { preparation } from "./foreground.mjs"
import { installWhatTheLockSays } from "./install.mjs"
import { Problem } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"
import { projectNode } from "./project-node.mjs"

/** The built server: shop, sandbox and the operator's commands in one. */
export const serverProgram = inProject("build", "server", "index.js")

/** Installs and builds what is missing or older than its sources. Throws a `Problem`. */
export async function makeReady() {
  await installWhatTheLockSays()
  if (buildIsCurrent()) return
  console.error("Building …")
  const code = await preparation(projectNode(), [inProject("scripts", "build.mjs")])
  if (code !== 0) throw new Problem("The build failed; what it said is above. Nothing was started.")
}
