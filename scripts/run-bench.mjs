import { runnerImport } from "vite"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"

/** @typedef {typeof import("../tests/bench/bench.ts")} Bench */
/** @typedef {typeof import("../tests/bench/growth.ts")} Growth */

await asCommand(async () => {
  if (process.argv.includes("--growth")) {
    /** @type {{ module: Growth }} */
    const { module } = await runnerImport(inProject("tests", "bench", "growth.ts"), {
      resolve: { tsconfigPaths: true },
      logLevel: "warn",
    })
    await module.growth(console.log)
    return 0
  }
  // Vite knows what Node does not: imports without an ending, and "~/".
  /** @type {{ module: Bench }} */
  const { module } = await runnerImport(inProject("tests", "bench", "bench.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.bench({ quick: process.argv.includes("--quick") }))
  return 0
})
