import { test } from "playwright/test"
import { startWhmcs, type Whmcs, type WhmcsOptions } from "../fakes/whmcs-simulator/start"
import { freePort } from "../support/server/free-port"
import { startShop as startOwn } from "../support/server/server-process"

type Options = NonNullable<Parameters<typeof startOwn>[0]>
export type TestServer = Awaited<ReturnType<typeof startOwn>>

/** Billing backends by project name of the Playwright configurations. */
const openers: Readonly<Record<string, (options: Options) => Promise<TestServer>>> = {
  embedded: startOwn,
  remote: async (options) => (await startOnServer(options)).shop,
  whmcs: async (options) => (await startOnWhmcs(options)).shop,
}

/** Whether the test runs on embedded billing, and not on an external billing system. */
export function isEmbedded(): boolean {
  return test.info().project.name === "embedded"
}

/** Starts a shop on the billing backend of the Playwright project, with the options of the test. */
export async function startShop(
  options: Options = {},
  backend = test.info().project.name,
): Promise<TestServer> {
  const open = openers[backend]
  if (!open) throw new Error(`Unknown billing backend "${backend}"`)
  return open(options)
}

/**
 * Starts a storefront, and a second shop process that serves the billing API, the payment sandbox with its mail server, and
 * the provisioner.
 */
export async function startOnServer(
  options: Options = {},
): Promise<{ shop: TestServer; billing: TestServer }> {
  const key = { BILLING_API_KEY: "the key of the storefront that is long enough" }
  const mailPort = String(await freePort())
  const billing = await startOwn({ env: { ...key, SANDBOX_SMTP_PORT: mailPort } })
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mailPort}`, MAIL_FROM: "storefront@shop.example" }
  const remoteEnvironment = { BILLING: "remote", BILLING_URL: billing.url, ...key, ...mail }
  const env = { ...remoteEnvironment, GATEWAYS: "offshore-coinbase-cryptomusgateway-btcpay", ...options.env }
  const shop = await startOwn({ ...options, env })
  const stop = async () => {
    const exitCode = await shop.stop()
    await billing.stop()
    return exitCode
  }
  return { billing, shop: { ...shop, stop, sandboxUrl: billing.sandboxUrl, mailboxUrl: billing.mailboxUrl } }
}

/** Starts a shop and a simulated WHMCS. Stopping the shop stops WHMCS. */
export async function startOnWhmcs(
  options: Options = {},
  installation: WhmcsOptions = {},
): Promise<{ shop: TestServer; whmcs: Whmcs }> {
  const whmcs = await startWhmcs(installation)
  const { identifier, secret } = whmcs.settings
  const env = {
    BILLING: "whmcs",
    WHMCS_URL: whmcs.url,
    WHMCS_IDENTIFIER: identifier,
    WHMCS_SECRET: secret,
    WHMCS_PLANS: "group:1",
    WHMCS_RESELLER_PLANS: "group:2",
    RESELLER_PLAN_CREDITS: "11:10,12:25,13:100",
  }
  const shop = await startOwn({ ...options, env: { ...env, ...options.env } })
  const stop = async () => {
    const exitCode = await shop.stop()
    await whmcs.close()
    return exitCode
  }
  return { whmcs, shop: { ...shop, stop } }
}
