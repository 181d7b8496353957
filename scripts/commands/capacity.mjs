import { runnerImport } from "vite"
import { asCommand } from "../setup/cli-error.mjs"
import { makeReady } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

/** @typedef {typeof import("../../tests/performance/bench/capacity.ts")} Capacity */

await asCommand(async () => {
  await makeReady()
  /** @type {{ module: Capacity }} */
  const { module } = await runnerImport(inProject("tests", "performance", "bench", "capacity.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.capacity())
  return 0
})
