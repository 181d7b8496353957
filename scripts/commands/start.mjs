import { runCli, runForeground } from "../run/supervise.mjs"
import { withoutArguments } from "../setup/no-arguments.mjs"
import {
  compileCache,
  installAndBuild,
  serverNodeOptions,
  serverProgram,
  settingsFile,
} from "../setup/prepare.mjs"

const USAGE = `Usage: npm start

Installs, builds and starts the shop. Its settings are environment variables, for example PORT=4000 npm start, or lines of
a file .env; docs/configuration.md lists them.

npm run admin -- --help   the operator's commands: orders, customers, backup, doctor …
npm run dev               the shop for development
npm test                  the tests`

await runCli(() =>
  withoutArguments(USAGE, async () => {
    await installAndBuild()
    return runForeground([...serverNodeOptions, ...settingsFile, serverProgram], {
      NODE_ENV: "production",
      ...compileCache,
    })
  }),
)
