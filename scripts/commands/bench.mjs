import { runCli, runForeground } from "../run/supervise.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { installAndBuild } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

await runCli(async () => {
  // Reported before measuring, because the Lighthouse stage runs last.
  const missing = await installSystemPrograms(["chromium", "postgresql"])
  if (missing.length > 0) return 1
  await installAndBuild()
  const args = [inProject("scripts", "run", "run-bench.mjs"), ...process.argv.slice(2)]
  return runForeground(args, { NODE_ENV: "production" })
})
