import { randomBytes } from "node:crypto"
import { expect } from "playwright/test"
import { PANEL_SECRET, startPanel } from "../../fakes/fake-panel"
import { type Cluster, freshDatabase, startPostgres } from "../db/postgres"
import { freePort } from "./free-port"
import { startNginx } from "./nginx"
import { startShop, type TestServer } from "./server-process"

/** Instances behind nginx on one PostgreSQL, with a gateway process and a panel. */
export type Machines = Awaited<ReturnType<typeof startMachines>>

type Place = {
  readonly postgres?: Cluster
  /** Turns the address of the database into the one that the instances get, for what stands between them. */
  readonly through?: (databaseUrl: string) => Promise<string>
}

/**
 * Starts the instances concurrently on an empty database, with these secrets for encryption. The database is in a new
 * cluster or in that of `place`.
 */
export async function startMachines(count: number, secrets: string, place: Place = {}) {
  const postgres = place.postgres ?? (await startPostgres())
  const databaseUrl = await freshDatabase(postgres.url)
  const { through = async (url) => url } = place
  const panel = await startPanel()
  const [port, ...ports] = await Promise.all(
    Array.from({ length: count + 1 }, async () => String(await freePort())),
  )
  const PUBLIC_URL = `http://127.0.0.1:${port}`
  const OFFSHORE_CALLBACK_SECRET = `whsec_${randomBytes(24).toString("base64")}`
  // Another shop provides the sandbox, which sends callbacks to the shop under test.
  const provider = await startShop({ env: { PUBLIC_URL, OFFSHORE_CALLBACK_SECRET } })
  const common = {
    PUBLIC_URL,
    DATABASE_URL: await through(databaseUrl),
    TRUSTED_PROXIES: "loopback",
    OFFSHORE_URL: `${provider.sandboxUrl}/offshore`,
    OFFSHORE_CALLBACK_SECRET,
    PROVISIONER: "webhook",
    PROVISIONER_URL: panel.url,
    PROVISIONER_SECRET: PANEL_SECRET,
  }
  const start = (PORT: string, SESSION_SECRETS: string) =>
    startShop({ env: { ...common, PORT, SESSION_SECRETS } })
  const instances: TestServer[] = await Promise.all(ports.map((it) => start(it, secrets)))
  const balancer = await startNginx(ports, port ?? "")

  return {
    postgres,
    databaseUrl,
    panel,
    provider,
    instances,
    /** URL of the load balancer. */
    url: balancer.url,
    /**
     * Replaces one instance after the other like an operator: waits until nginx sends requests to the new instance
     * before it stops the next one, because nginx avoids a failed instance for a second. Returns their exit codes.
     */
    async replaceAll(secretsNow: string): Promise<(number | null)[]> {
      const codes: (number | null)[] = []
      for (const [index, old] of [...instances].entries()) {
        codes.push(await old.stop())
        const next = await start(ports[index] ?? "", secretsNow)
        instances[index] = next
        await expect.poll(() => next.logLines().some(isOwnedProcess), { timeout: 60_000 }).toBe(true)
      }
      return codes
    },
    async stop() {
      await balancer.stop()
      await Promise.all([...instances, provider].map((it) => it.stop()))
      await panel.stop()
      await postgres.stop()
    },
  }
}

/** Whether a log line is a request other than the health check. */
function isOwnedProcess({ msg, path }: { msg?: unknown; path?: unknown }): boolean {
  return msg === "request completed" && typeof path === "string" && !path.endsWith("/health")
}
