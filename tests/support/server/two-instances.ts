import { randomBytes } from "node:crypto"
import { freePort } from "./free-port"
import { type Balancer, openBalancer } from "./load-balancer"
import { startShop, type TestServer } from "./server-process"

export type TwoInstances = {
  /** The shop with the payment sandbox, which no test kills. */
  readonly provider: TestServer
  readonly balancer: Balancer
  readonly instances: readonly [TestServer, TestServer]
  readonly ports: readonly [number, number]
  stop(): Promise<void>
}

/** Two instances of one shop behind one address, as in production: they share only the database and the secrets. */
export async function startTwoInstances(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TwoInstances> {
  const ports = [await freePort(), await freePort()] as const
  const balancer = await openBalancer(ports)
  const OFFSHORE_CALLBACK_SECRET = `whsec_${randomBytes(24).toString("base64")}`
  const provider = await startShop({
    env: { PUBLIC_URL: balancer.url, OFFSHORE_CALLBACK_SECRET, LOG_LEVEL: "error" },
  })
  const common = {
    PUBLIC_URL: balancer.url,
    DATABASE_URL: databaseUrl,
    SESSION_SECRETS: randomBytes(24).toString("hex"),
    OFFSHORE_URL: `${provider.sandboxUrl}/offshore`,
    OFFSHORE_CALLBACK_SECRET,
    GATEWAYS: "offshore",
    TRUSTED_PROXIES: "loopback",
    ...env,
  }
  const start = (port: number) => startShop({ env: { ...common, PORT: String(port) } })
  const instances = [await start(ports[0]), await start(ports[1])] as const
  return {
    provider,
    balancer,
    instances,
    ports,
    async stop() {
      for (const shop of [...instances, provider]) await shop.stop()
      await balancer.close()
    },
  }
}
