import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { deliveries } from "~/flows/webhooks/deliver-events.server"
import { publishEvents } from "~/flows/webhooks/publish-events.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { standardWebhookSender } from "~/webhooks/standard-webhook-sender.server"
import { unique } from "../../contracts/billing/billing-fixtures"
import { freshDatabase, startPostgres } from "../../support/db/postgres"

const EVENTS = 100_000
const FEW_EVENTS = 10_000
/** Events of each endpoint in the comparison with a receiver that hangs. */
const SHARED = 500
const ROWS_AT_ONCE = 500

/** Measures on each engine how fast a backlog is delivered, and whether a receiver that hangs delays nine others. */
export async function webhookDelivery({
  quick,
  print,
}: {
  quick: boolean
  print: (line: string) => void
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-webhooks-"))
  const postgres = await startPostgres()
  const events = quick ? FEW_EVENTS : EVENTS
  try {
    const files = ["backlog", "nine", "ten"].map((it) => join(folder, `${it}.db`))
    await measured("SQLite", { urls: files, events, print })
    const urls = [await freshDatabase(postgres.url), await freshDatabase(postgres.url)]
    await measured("PostgreSQL", { urls: [...urls, await freshDatabase(postgres.url)], events, print })
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

type Run = {
  readonly urls: readonly string[]
  readonly events: number
  readonly print: (line: string) => void
}

async function measured(engine: string, { urls: [backlog = "", nine = "", ten = ""], events, print }: Run) {
  const drained = await drain(backlog, { events, endpoints: 1, hanging: 0 })
  print(
    `${engine}: ${events} events published in ${seconds(drained.published)}, delivered to one endpoint in ${seconds(drained.delivered)}, ${(events / drained.delivered).toFixed(0)} a second`,
  )
  const without = await drain(nine, { events: SHARED, endpoints: 9, hanging: 0 })
  const beside = await drain(ten, { events: SHARED, endpoints: 9, hanging: 1 })
  print(
    `${engine}: ${SHARED} events to each of nine endpoints in ${seconds(without.delivered)}, beside a tenth that hangs in ${seconds(beside.delivered)}`,
  )
}

type Load = { readonly events: number; readonly endpoints: number; readonly hanging: number }

/** Seconds until all events are published, and until the endpoints that answer have all of them. */
async function drain(url: string, { events, endpoints, hanging }: Load) {
  const db = openDatabase({ url, timeoutMs: 30_000 })
  await migrate(db)
  const { webhooks, outbox } = createEmbeddedBilling({ db, newId: unique })
  const receiver = await openReceiver()
  const services = {
    webhooks,
    outbox,
    now: Date.now,
    log: pino({ level: "silent" }),
    randomInt: () => 0,
    newId: unique,
    webhookSender: standardWebhookSender({
      seal: sealWith(["x".repeat(32)], "webhooks"),
      policy: { allow: [], loopback: true },
      now: Date.now,
    }),
  }
  for (let index = 0; index < endpoints + hanging; index++)
    await webhooks.addEndpoint({
      id: `whe_${index}`,
      url: receiver.url(index < endpoints ? "/" : "/hang"),
      description: "",
      subscriptions: ["*"],
      sealedSecret: services.webhookSender.newSecret().sealed,
      at: Date.now(),
    })
  await write(db, events)
  const stopping = new AbortController()
  const sending = deliveries(services, stopping.signal)
  try {
    const started = performance.now()
    await publishEvents({ webhooks })
    const published = performance.now() - started
    const all = receiver.until(events * endpoints)
    await sending.start()
    await all
    return { published: published / 1_000, delivered: (performance.now() - started - published) / 1_000 }
  } finally {
    stopping.abort()
    await sending.idle()
    receiver.close()
    await db.destroy()
  }
}

/** Writes events of as many orders, with as much data as an order's event has. */
async function write(db: ReturnType<typeof openDatabase>, events: number): Promise<void> {
  const data = JSON.stringify({ order: { id: "7BQ697JNZK", text: "x".repeat(600) } })
  const at = Date.now()
  for (let from = 0; from < events; from += ROWS_AT_ONCE)
    await db
      .insertInto("webhook_events")
      .values(
        Array.from({ length: Math.min(ROWS_AT_ONCE, events - from) }, (_, index) => ({
          id: `evt_${from + index}`,
          type: "order.paid" as const,
          object: "order",
          object_id: `order${from + index}`,
          sequence: at,
          data,
          client_id: null,
          at,
          position: null,
        })),
      )
      .execute()
}

/** A receiver in this process, which counts what it answers with 204; to `/hang` it never answers. */
async function openReceiver() {
  let count = 0
  let wanted = Number.POSITIVE_INFINITY
  let reached = () => {}
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === "/hang") return
    request.once("end", () => {
      response.writeHead(204).end()
      count += 1
      if (count >= wanted) reached()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    until: (number: number) =>
      new Promise<void>((resolve) => {
        wanted = number
        reached = resolve
      }),
    close: () => server.close().closeAllConnections(),
  }
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}
