import { expect } from "playwright/test"
import { OFFSHORE_SECRET, offshoreCallback } from "../../fakes/offshore"
import { rawRequest } from "../../support/http/raw-request"
import { freePort } from "../../support/server/free-port"
import { startNginx } from "../../support/server/nginx"
import { startShop } from "../../support/server/server-process"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("postgresql", "nginx-light")

const CLIENTS = 300
const PROBES = 40
/**
 * Maximum of clients answered before a health check or callback, at the 95th percentile. With a FIFO queue it would be
 * all of them.
 */
const OVERTAKEN_BY = CLIENTS / 2

/** No keep-alive: a request on a new connection waits until the connection is accepted. */
const newConnection = { connection: "close" }

for (const front of ["without a proxy", "with nginx in front, as shipped"]) {
  test(
    `${front}, health checks and callbacks on new connections are answered while ${CLIENTS} clients request the checkout`,
    deep,
    async () => {
      test.setTimeout(400_000)
      const shop = await startShop({ env: { OFFSHORE_CALLBACK_SECRET: OFFSHORE_SECRET, LOG_LEVEL: "warn" } })
      const nginx = front === "without a proxy" ? null : await startProxy(shop.url)
      const url = nginx?.url ?? shop.url
      const load = hammer(url)
      await expect.poll(() => load.responseCount(), { timeout: 60_000 }).toBeGreaterThan(CLIENTS)

      const overtaken: Record<string, number[]> = { health: [], callback: [] }
      for (let nth = 0; nth < PROBES; nth++) {
        overtaken.health?.push(await overtakenBy(load, () => health(url), 200))
        overtaken.callback?.push(await overtakenBy(load, () => callback(url, nth), 204))
      }
      const statuses = await load.stop()
      await nginx?.stop()
      await shop.stop()
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      for (const [what, counts] of Object.entries(overtaken)) {
        test.info().annotations.push({ type: what, description: `p95 overtaken by ${p95(counts)}` })
        expect(p95(counts), what).toBeLessThanOrEqual(OVERTAKEN_BY)
      }
    },
  )
}

async function startProxy(shopUrl: string) {
  return startNginx([new URL(shopUrl).port], String(await freePort()))
}

/** Clients that repeat their request after every response, until `stop`. */
function hammer(url: string) {
  const statuses: number[] = []
  let isRunning = true
  // A cookie other than the language cookie bypasses the page cache, so the shop renders every response.
  const headers = { ...newConnection, accept: "text/html", cookie: "seen=1" }
  const client = async () => {
    while (isRunning) statuses.push((await rawRequest(url, "/checkout/", { headers })).status)
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    responseCount: () => statuses.length,
    async stop(): Promise<number[]> {
      isRunning = false
      await Promise.all(clients)
      return statuses
    },
  }
}

/** Number of clients answered between a request and its response. Unlike time, it is the same on every machine. */
async function overtakenBy(
  load: { responseCount(): number },
  call: () => Promise<{ status: number }>,
  status: number,
): Promise<number> {
  const before = load.responseCount()
  const response = await call()
  expect(response.status).toBe(status)
  return load.responseCount() - before
}

function health(url: string) {
  return rawRequest(url, "/checkout/api/health", { headers: newConnection })
}

/** A correctly signed callback with an event that the shop ignores. */
function callback(url: string, nth: number) {
  const event = JSON.stringify({ type: "payout.sent", data: {} })
  const { headers, body } = offshoreCallback({ body: event, at: Date.now(), id: `msg_${nth}` })
  return rawRequest(url, "/checkout/api/payments/offshore/callback", {
    method: "POST",
    headers: { ...Object.fromEntries(headers), ...newConnection },
    body,
  })
}

function p95(counts: readonly number[]): number {
  return counts.toSorted((one, other) => one - other)[Math.ceil(counts.length * 0.95) - 1] ?? 0
}
