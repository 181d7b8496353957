import { inForeground } from "../run/run-foreground.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { makeReady, serverProgram } from "../setup/prepare.mjs"

await asCommand(async () => {
  await makeReady()
  return inForeground(
    [serverProgram, "books", ...process.argv.slice(2)],
    { NODE_ENV: "production" },
    "inherit",
  )
})
