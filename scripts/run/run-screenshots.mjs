import { runnerImport } from "vite"
import { asCommand } from "./problem.mjs"
import { inProject } from "./project-folder.mjs"

/** @typedef {typeof import("../tests/shots/shots.ts")} Shots */

await asCommand(async () => {
  // Vite knows what Node does not: imports without an ending, and "~/".
  /** @type {{ module: Shots }} */
  const { module } = await runnerImport(inProject("tests", "shots", "shots.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.shots({ folder: inProject("shots"), only: process.argv[2] ?? "" }))
  return 0
})
