import { runnerImport } from "vite"
import { inProject } from "../setup/project-root.mjs"
import { runCli } from "./supervise.mjs"

/** @typedef {typeof import("../../tests/mutants/run-mutants.ts")} Mutants */

await runCli(async () => {
  /** @type {{ module: Mutants }} */
  const { module } = await runnerImport(inProject("tests", "mutants", "run-mutants.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  const [pattern = ""] = process.argv.slice(2)
  const survivors = await module.runMutants(new RegExp(pattern, "i"), console.log)
  console.log(`\n${survivors} survived`)
  return survivors === 0 ? 0 : 1
})
