import { inForeground } from "../run/run-foreground.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { makeReady } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

await asCommand(async () => {
  await makeReady()
  const missing = await installSystemPrograms(["postgresql"])
  if (missing.length > 0) return 1
  return inForeground([inProject("scripts", "run", "run-soak.mjs")], {})
})
