import { inForeground } from "../run/run-foreground.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { makeReady } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

await asCommand(async () => {
  // Said before anything is measured: the phone's figures come last.
  const missing = await installSystemPrograms(["chromium", "postgresql"])
  if (missing.length > 0) return 1
  await makeReady()
  const words = [inProject("scripts", "run", "run-bench.mjs"), ...process.argv.slice(2)]
  return inForeground(words, { NODE_ENV: "production" })
})
