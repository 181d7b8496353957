import { runCli, runForeground } from "../run/supervise.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { installAndBuild } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

await runCli(async () => {
  await installAndBuild()
  const missing = await installSystemPrograms(["postgresql"])
  if (missing.length > 0) return 1
  return runForeground([inProject("scripts", "run", "run-soak.mjs")], {})
})
