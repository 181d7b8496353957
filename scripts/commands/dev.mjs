import { inForeground } from "../run/run-foreground.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { installWhatTheLockSays } from "../setup/install-dependencies.mjs"
import { inProject } from "../setup/project-root.mjs"

await asCommand(async () => {
  await installWhatTheLockSays()
  return inForeground([inProject("scripts", "run", "dev-server.mjs")], { NODE_ENV: "development" })
})
