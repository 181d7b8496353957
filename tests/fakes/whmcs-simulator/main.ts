import { staffPages } from "./admin-area"
import { startWhmcs, type Whmcs } from "./start"

/** Where `npm run whmcs-simulator` listens by default: next to the shop and its sandbox. */
const DEFAULT_PORT = "3002"

/**
 * Runs an empty installation with the demo catalogue as a process of its own until it is terminated. Reads its settings
 * from the environment, and prints the command that starts a shop on it.
 */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const {
    PORT = DEFAULT_PORT,
    TIME_ZONE: timeZone = "UTC",
    ACCESS_KEY: accessKey,
    WHMCS_PATH: path = "",
  } = env
  const options = {
    port: Number(PORT),
    timeZone,
    path,
    // As docs/whmcs.md asks of an installation.
    fieldsOnOrderForm: "all",
    welcomeEmail: false,
    ...(accessKey !== undefined && { accessKey }),
  } as const
  const whmcs = await startWhmcs(options, staffPages)
  const stop = () => void whmcs.close().then(() => process.exit(0))
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
  process.stdout.write(introduction(whmcs, timeZone))
}

function introduction({ url, settings }: Whmcs, timeZone: string): string {
  const { identifier, secret, accessKey } = settings
  const variables = [
    "BILLING=whmcs",
    `WHMCS_URL=${url}`,
    `WHMCS_IDENTIFIER=${identifier}`,
    `WHMCS_SECRET=${secret}`,
    ...(accessKey === null ? [] : [`WHMCS_ACCESS_KEY=${accessKey}`]),
    ...(timeZone === "UTC" ? [] : [`WHMCS_TIME_ZONE=${timeZone}`]),
    "WHMCS_PLANS=group:1",
    "WHMCS_RESELLER_PLANS=group:2",
    "RESELLER_PLAN_CREDITS=11:10,12:25,13:100",
    "DATA_DIR=data-whmcs",
  ]
  return `WHMCS simulator at ${url}, with the demo catalogue. Its data are in memory; Ctrl-C ends it.

A shop that sells through it, in another terminal:

  ${variables.join(" ")} npm start

What it stores:  curl ${new URL("/_staff/state", url)}
Calls so far:    curl ${new URL("/_staff/calls", url)}
`
}
