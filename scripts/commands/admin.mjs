import { runCli, runForeground } from "../run/supervise.mjs"
import { warnOfFormerScript } from "../setup/former-scripts.mjs"
import { installAndBuild, serverProgram, settingsFile } from "../setup/prepare.mjs"

await runCli(async () => {
  warnOfFormerScript()
  await installAndBuild()
  return runForeground(
    [...settingsFile, serverProgram, "admin", ...process.argv.slice(2)],
    { NODE_ENV: "production" },
    "inherit",
  )
})
