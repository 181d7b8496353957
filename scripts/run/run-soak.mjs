import { randomInt } from "node:crypto"
import { createServer } from "vite"
import { CliError } from "../setup/cli-error.mjs"
import { inProject, projectFolder } from "../setup/project-root.mjs"
import { runCli } from "./supervise.mjs"

/** @typedef {typeof import("../../tests/resilience/soak/soak.ts")} Soak */

const MINUTES = 10

await runCli(async () => {
  const minutes = positive("SOAK_MINUTES", MINUTES)
  const seed = positive("SOAK_SEED", randomInt(1, 1_000_000))
  // Loaded through Vite, because Node does not resolve extensionless imports, "~/" and text files. No HTTP server is
  // used.
  const vite = await createServer({
    root: projectFolder,
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    resolve: { tsconfigPaths: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  const module = /** @type {Soak} */ (
    await vite.ssrLoadModule(inProject("tests", "resilience", "soak", "soak.ts"))
  )
  console.log(`About ${minutes} minutes, SOAK_SEED=${seed}`)
  const outcome = await module.soak({ minutes, seed, log: (line) => console.log(line) })
  await vite.close()
  return outcome === "sound" ? 0 : 1
})

/**
 * @param {string} name of a variable
 * @param {number} otherwise
 */
function positive(name, otherwise) {
  const given = Number(process.env[name] || otherwise)
  if (given > 0) return given
  throw new CliError(`${name} must be a number above zero.`)
}
