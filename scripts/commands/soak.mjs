import { inForeground } from "./foreground.mjs"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"
import { makeReady } from "./ready.mjs"
import { installSystemPrograms } from "./system-programs.mjs"

await asCommand(async () => {
  await makeReady()
  await installSystemPrograms()
  return inForeground([inProject("scripts", "run-soak.mjs")], {})
})
