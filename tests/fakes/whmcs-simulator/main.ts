import { staffPages } from "./admin-area"
import { startWhmcs } from "./start"

/**
 * Runs an installation as a process of its own until it is terminated. Reads `PORT` and `TIME_ZONE` from the
 * environment; prints its URL and credentials as one line of JSON.
 */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const { PORT = "0", TIME_ZONE: timeZone = "UTC", ACCESS_KEY: accessKey, WHMCS_PATH: path = "" } = env
  const options = { port: Number(PORT), timeZone, path, ...(accessKey !== undefined && { accessKey }) }
  const whmcs = await startWhmcs(options, staffPages)
  process.once("SIGTERM", () => void whmcs.close().then(() => process.exit(0)))
  process.stdout.write(`${JSON.stringify({ url: whmcs.url, ...whmcs.settings })}\n`)
}
