import { inForeground } from "./foreground.mjs"
import { asCommand } from "./problem.mjs"
import { makeReady, serverProgram } from "./ready.mjs"

await asCommand(async () => {
  await makeReady()
  return inForeground(
    [serverProgram, "books", ...process.argv.slice(2)],
    { NODE_ENV: "production" },
    "inherit",
  )
})
