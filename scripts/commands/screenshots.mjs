import { runCli, runForeground } from "../run/supervise.mjs"
import { warnOfFormerScript } from "../setup/former-scripts.mjs"
import { installAndBuild } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

await runCli(async () => {
  warnOfFormerScript()
  await installAndBuild()
  const args = [inProject("scripts", "run", "run-screenshots.mjs"), ...process.argv.slice(2)]
  return runForeground(args, { NODE_ENV: "production" })
})
