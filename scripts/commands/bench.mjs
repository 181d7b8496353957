import { inForeground } from "./foreground.mjs"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"
import { makeReady } from "./ready.mjs"

await asCommand(async () => {
  await makeReady()
  const words = [inProject("scripts", "run-bench.mjs"), ...process.argv.slice(2)]
  return inForeground(words, { NODE_ENV: "production" })
})
