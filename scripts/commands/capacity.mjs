import { runnerImport } from "vite"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"
import { makeReady } from "./ready.mjs"

/** @typedef {typeof import("../tests/bench/capacity.ts")} Capacity */

await asCommand(async () => {
  await makeReady()
  /** @type {{ module: Capacity }} */
  const { module } = await runnerImport(inProject("tests", "bench", "capacity.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.capacity())
  return 0
})
