import { runnerImport } from "vite"
import { runCli } from "../run/supervise.mjs"
import { installAndBuild } from "../setup/prepare.mjs"
import { inProject } from "../setup/project-root.mjs"

/** @typedef {typeof import("../../tests/performance/bench/capacity.ts")} Capacity */

await runCli(async () => {
  await installAndBuild()
  /** @type {{ module: Capacity }} */
  const { module } = await runnerImport(inProject("tests", "performance", "bench", "capacity.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.capacity())
  return 0
})
