import { inForeground } from "../run/run-foreground.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { installWhatTheLockSays } from "../setup/install-dependencies.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { inProject } from "../setup/project-root.mjs"

await asCommand(async () => {
  await installWhatTheLockSays()
  const missing = await installSystemPrograms(["postgresql"])
  if (missing.length > 0) return 1
  return inForeground([inProject("scripts", "run", "run-mutants.mjs"), ...process.argv.slice(2)], {})
})
