import { runCli, runForeground } from "../run/supervise.mjs"
import { installDependencies } from "../setup/install-dependencies.mjs"
import { tool } from "../setup/node-binary.mjs"
import { inProject } from "../setup/project-root.mjs"

const config = inProject("tests", "mutants", "stryker.config.json")

await runCli(async () => {
  await installDependencies()
  const files = process.argv.slice(2).map((pattern) => `app/domain/**/*${pattern}*.ts`)
  const mutate = files.length > 0 ? ["--mutate", [...files, "!**/*.test.ts"].join(",")] : []
  return runForeground([tool("stryker"), "run", config, ...mutate], {})
})
