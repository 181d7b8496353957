import { staffPages } from "./admin-area"
import { startWhmcs } from "./start"

/**
 * The installation as a process of its own, until it is told to end. `PORT` and `TIME_ZONE` are taken from the
 * environment; where it is and whom it knows is written as one line of JSON.
 */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const { PORT = "0", TIME_ZONE: timeZone = "UTC", ACCESS_KEY: accessKey, WHMCS_PATH: path = "" } = env
  const options = { port: Number(PORT), timeZone, path, ...(accessKey !== undefined && { accessKey }) }
  const whmcs = await startWhmcs(options, staffPages)
  process.once("SIGTERM", () => void whmcs.close().then(() => process.exit(0)))
  process.stdout.write(`${JSON.stringify({ url: whmcs.url, ...whmcs.settings })}\n`)
}
