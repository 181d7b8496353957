import { runCli, runForeground } from "../run/supervise.mjs"
import { installDependencies } from "../setup/install-dependencies.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { inProject } from "../setup/project-root.mjs"

await runCli(async () => {
  await installDependencies()
  const missing = await installSystemPrograms(["postgresql"])
  if (missing.length > 0) return 1
  return runForeground([inProject("scripts", "run", "run-mutants.mjs"), ...process.argv.slice(2)], {})
})
