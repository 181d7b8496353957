import { runnerImport } from "vite"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"

/** @typedef {typeof import("../tests/bench/bench.ts")} Bench */

await asCommand(async () => {
  // Vite knows what Node does not: imports without an ending, and "~/".
  /** @type {{ module: Bench }} */
  const { module } = await runnerImport(inProject("tests", "bench", "bench.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.bench({ quick: process.argv.includes("--quick") }))
  return 0
})
