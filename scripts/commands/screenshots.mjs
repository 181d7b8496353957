import { inForeground } from "../run/run-foreground.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { makeReady } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

await asCommand(async () => {
  await makeReady()
  const words = [inProject("scripts", "run", "run-screenshots.mjs"), ...process.argv.slice(2)]
  return inForeground(words, { NODE_ENV: "production" })
})
