import { parseArgs } from "node:util"
import { runnerImport } from "vite"
import { CliError } from "../setup/cli-error.mjs"
import { inProject } from "../setup/project-root.mjs"
import { runCli } from "./supervise.mjs"

/** @typedef {typeof import("../../tests/screenshots/screenshots.ts")} Shots */

await runCli(async () => {
  const { values, positionals } = readOptions()
  // Loaded through Vite, because Node does not resolve extensionless imports and "~/".
  /** @type {{ module: Shots }} */
  const { module } = await runnerImport(inProject("tests", "screenshots", "screenshots.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  const [stage] = positionals
  if (stage !== undefined && !module.stageNames.includes(stage))
    throw new CliError(`There is no stage "${stage}". The stages: ${module.stageNames.join(", ")}`)
  console.log(await module.shots({ folder: inProject("shots"), ...(stage && { stage }), ...values }))
  return 0
})

/** The name of one stage, `--width` and `--language`: what to take alone. */
function readOptions() {
  const text = /** @type {const} */ ({ type: "string" })
  try {
    return parseArgs({ options: { width: text, language: text }, allowPositionals: true })
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error))
  }
}
