import { runnerImport } from "vite"

/** Runs main.ts as the tests do: with the paths of tsconfig.json. */
const file = new URL("./main.ts", import.meta.url).pathname
const { module } = await runnerImport(file, { configFile: false, resolve: { tsconfigPaths: true } })
await module.main(process.env)
