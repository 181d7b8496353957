import { runnerImport } from "vite"
import { inProject } from "../setup/project-root.mjs"
import { runCli } from "./supervise.mjs"

/** @typedef {typeof import("../../tests/screenshots/screenshots.ts")} Shots */

await runCli(async () => {
  // Loaded through Vite, because Node does not resolve extensionless imports and "~/".
  /** @type {{ module: Shots }} */
  const { module } = await runnerImport(inProject("tests", "screenshots", "screenshots.ts"), {
    resolve: { tsconfigPaths: true },
    logLevel: "warn",
  })
  console.log(await module.shots({ folder: inProject("shots"), only: process.argv[2] ?? "" }))
  return 0
})
