import { inForeground } from "./foreground.mjs"
import { installWhatTheLockSays } from "./install.mjs"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"

await asCommand(async () => {
  await installWhatTheLockSays()
  return inForeground([inProject("scripts", "dev-server.mjs")], { NODE_ENV: "development" })
})
