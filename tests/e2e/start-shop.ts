import { test } from "playwright/test"
import { startWhmcs, type Whmcs } from "../fakes/whmcs-simulator/start"
import { startShop as startOwn } from "../support/server/server-process"

type Options = NonNullable<Parameters<typeof startOwn>[0]>
export type TestServer = Awaited<ReturnType<typeof startOwn>>

/** Who keeps the books: the projects of the configuration are called after them. */
const openers: Readonly<Record<string, (options: Options) => Promise<TestServer>>> = {
  embedded: startOwn,
  remote: async (options) => (await startOnServer(options)).shop,
  whmcs: async (options) => (await startOnWhmcs(options)).shop,
}

/** A shop whose books are kept by whoever the project is named after, with everything else as the test says. */
export async function startShop(
  options: Options = {},
  backend = test.info().project.name,
): Promise<TestServer> {
  const open = openers[backend]
  if (!open) throw new Error(`No billing backend is called "${backend}"`)
  return open(options)
}

/** A storefront, and another shop in a process of its own that keeps the books, takes the money and makes the lines. */
export async function startOnServer(
  options: Options = {},
): Promise<{ shop: TestServer; billing: TestServer }> {
  const key = { BILLING_API_KEY: "the key of the storefront that is long enough" }
  const billing = await startOwn({ env: key })
  const remoteEnvironment = { BILLING: "remote", BILLING_URL: billing.url, ...key }
  const env = { ...remoteEnvironment, GATEWAYS: "offshore-coinbase-cryptomusgateway-btcpay", ...options.env }
  const shop = await startOwn({ ...options, env })
  const stop = async () => {
    const exitCode = await shop.stop()
    await billing.stop()
    return exitCode
  }
  return { billing, shop: { ...shop, stop, sandboxUrl: billing.sandboxUrl } }
}

/** A shop on an installation of WHMCS, which ends with it. */
export async function startOnWhmcs(options: Options = {}): Promise<{ shop: TestServer; whmcs: Whmcs }> {
  const whmcs = await startWhmcs()
  const { identifier, secret } = whmcs.settings
  const env = {
    ...{ BILLING: "whmcs", WHMCS_URL: whmcs.url, WHMCS_IDENTIFIER: identifier, WHMCS_SECRET: secret },
    ...{
      WHMCS_PLANS: "group:1",
      WHMCS_RESELLER_PLANS: "group:2",
      RESELLER_PLAN_CREDITS: "11:10,12:25,13:100",
    },
  }
  const shop = await startOwn({ ...options, env: { ...env, ...options.env } })
  const stop = async () => {
    const exitCode = await shop.stop()
    await whmcs.close()
    return exitCode
  }
  return { whmcs, shop: { ...shop, stop } }
}
