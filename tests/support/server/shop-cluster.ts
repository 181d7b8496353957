import { randomBytes } from "node:crypto"
import { expect } from "playwright/test"
import { PANEL_SECRET, startPanel } from "../../fakes/fake-panel"
import { freshDatabase, startPostgres } from "../db/postgres"
import { freePort } from "./free-port"
import { startNginx } from "./nginx"
import { startShop, type TestServer } from "./server-process"

/** Instances behind nginx over one PostgreSQL, a gateway in a process of its own, and a panel. */
export type Machines = Awaited<ReturnType<typeof startMachines>>

/** Starts as many instances as said, all at once on empty books, with these secrets for what they seal. */
export async function startMachines(count: number, secrets: string) {
  const postgres = await startPostgres()
  const databaseUrl = await freshDatabase(postgres.url)
  const panel = await startPanel()
  const [port, ...ports] = await Promise.all(
    Array.from({ length: count + 1 }, async () => String(await freePort())),
  )
  const PUBLIC_URL = `http://127.0.0.1:${port}`
  const OFFSHORE_CALLBACK_SECRET = `whsec_${randomBytes(24).toString("base64")}`
  // Another shop, of which only the sandbox is used: it tells our shop of payments.
  const provider = await startShop({ env: { PUBLIC_URL, OFFSHORE_CALLBACK_SECRET, LOG_LEVEL: "error" } })
  const common = {
    ...{ PUBLIC_URL, DATABASE_URL: databaseUrl, TRUSTED_PROXIES: "loopback" },
    ...{ OFFSHORE_URL: `${provider.sandboxUrl}/offshore`, OFFSHORE_CALLBACK_SECRET },
    ...{ PROVISIONER: "webhook", PROVISIONER_URL: panel.url, PROVISIONER_SECRET: PANEL_SECRET },
  }
  const start = (PORT: string, SESSION_SECRETS: string) =>
    startShop({ env: { ...common, PORT, SESSION_SECRETS } })
  const instances: TestServer[] = await Promise.all(ports.map((it) => start(it, secrets)))
  const balancer = await startNginx(ports, port ?? "")

  return {
    ...{ postgres, databaseUrl, panel, provider, instances },
    /** Where buyers come in. */
    url: balancer.url,
    /**
     * Ends one instance after the other as an operator does, each replaced, and asked again by whoever comes, before the
     * next goes: for a second nginx leads nobody to one that it has found closed. Answers their exit codes.
     */
    async replaceAll(secretsNow: string): Promise<(number | null)[]> {
      const codes: (number | null)[] = []
      for (const [index, old] of [...instances].entries()) {
        codes.push(await old.stop())
        const next = await start(ports[index] ?? "", secretsNow)
        instances[index] = next
        await expect.poll(() => next.logLines().some(isOwnedProcess), { timeout: 10_000 }).toBe(true)
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

/** A request that is not the question whether the instance is well. */
function isOwnedProcess({ msg, path }: { msg?: unknown; path?: unknown }): boolean {
  return msg === "request completed" && typeof path === "string" && !path.endsWith("/health")
}
