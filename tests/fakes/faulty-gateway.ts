import { randomBytes } from "node:crypto"
import { freePort } from "../support/server/free-port"
import { startShop, type TestServer } from "../support/server/server-process"
import { type FaultProxy, openFaultProxy } from "./tcp-fault-proxy"

export type ShopAndGateway = {
  readonly shop: TestServer
  readonly gateway: FaultProxy
  stop(): Promise<void>
}

/** Starts a shop that reaches its sandbox gateway through a fault proxy. */
export async function startShopWithUnreliableGateway(
  env: Record<string, string> = {},
): Promise<ShopAndGateway> {
  const port = await freePort()
  const gateway = await openFaultProxy({ host: "127.0.0.1", port })
  const shop = await startShop({
    env: {
      SANDBOX: "on",
      SANDBOX_PORT: String(port),
      OFFSHORE_URL: `http://127.0.0.1:${gateway.port}/offshore`,
      OFFSHORE_CHECKOUT_ORIGIN: `http://127.0.0.1:${port}`,
      OFFSHORE_CALLBACK_SECRET: newCallbackSecret(),
      ...env,
    },
  })
  return {
    shop,
    gateway,
    async stop() {
      await shop.stop()
      await gateway.close()
    },
  }
}

/** Starts a shop whose gateway is a process of its own, which keeps running when the shop stops. */
export async function startShopWithRemoteGateway(): Promise<{ shop: TestServer; provider: TestServer }> {
  const PORT = String(await freePort())
  const OFFSHORE_CALLBACK_SECRET = newCallbackSecret()
  // Another shop provides the sandbox, which sends callbacks to the shop under test.
  const provider = await startShop({
    env: { PUBLIC_URL: `http://127.0.0.1:${PORT}`, OFFSHORE_CALLBACK_SECRET, LOG_LEVEL: "error" },
  })
  const OFFSHORE_URL = `${provider.sandboxUrl}/offshore`
  return { provider, shop: await startShop({ env: { PORT, OFFSHORE_URL, OFFSHORE_CALLBACK_SECRET } }) }
}

function newCallbackSecret(): string {
  return `whsec_${randomBytes(24).toString("base64")}`
}
