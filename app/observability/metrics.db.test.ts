import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { BillingStats } from "~/billing/billing-stats"
import { MINUTE } from "~/domain/calendar"
import { GatewayError, type MonitoredGateway, UntrustedCallbackError } from "~/gateways/gateway"
import { NOON, openTestShop, type TestShop } from "../../tests/fixtures/test-shop"
import { freePort } from "../../tests/support/server/free-port"
import { samplesIn, sumOf } from "../../tests/support/server/metrics"
import { type Metrics, openMetrics } from "./metrics.server"

const figures: BillingStats = {
  orders: {
    placed: 1,
    "awaiting-payment": 2,
    "partially-paid": 3,
    paid: 4,
    active: 5,
    cancelled: 6,
    expired: 7,
    fraud: 8,
  },
  paidSince: NOON - 6 * MINUTE,
  jobs: { waiting: 9, parked: 1 },
  dueSince: NOON - 3 * MINUTE,
  brakeSince: NOON - 2 * MINUTE,
  stepDueSince: NOON - 4 * MINUTE,
}
const rules = readFileSync("ops/prometheus-rules.yml", "utf8")
const dashboard = readFileSync("ops/grafana-dashboard.json", "utf8")

let port: number
let shop: TestShop
let metrics: Metrics
let respond: () => Promise<BillingStats> = async () => figures

beforeAll(async () => {
  port = await freePort()
  shop = await openTestShop()
  metrics = await openMetrics(
    { host: "127.0.0.1", port },
    {
      figures: () => respond(),
      connections: () => ({ idle: 2, busy: 3, waiting: 4 }),
      mails: async () => ({
        counts: [
          { name: "receipt", state: "sent", count: 5 },
          { name: "receipt", state: "rejected", count: 1 },
        ],
        oldestUnsent: NOON - 16 * MINUTE,
        lastAccepted: NOON,
        silentSince: NOON - 15 * MINUTE,
      }),
      now: () => NOON,
      caches: { catalogue: { hit: 7, stale: 2, miss: 1 } },
    },
  )
})
afterAll(async () => {
  await metrics.close()
  await shop.billing.close()
})

const shown = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

test("exposes current orders by state, jobs, overdue work, mail, caches and connections", async () => {
  const text = await shown()
  expect(sumOf(text, "boxoffice_orders", { state: "awaiting-payment" })).toBe(2)
  expect(sumOf(text, "boxoffice_orders")).toBe(36)
  expect(sumOf(text, "boxoffice_oldest_unprovisioned_order_seconds")).toBe(360)
  expect(sumOf(text, "boxoffice_outbox_oldest_due_job_seconds")).toBe(180)
  expect(sumOf(text, "boxoffice_outbox_jobs", { state: "parked" })).toBe(1)
  expect(sumOf(text, "boxoffice_mails", { message: "receipt", state: "sent" })).toBe(5)
  expect(sumOf(text, "boxoffice_mail_oldest_unsent_seconds")).toBe(960)
  expect(sumOf(text, "boxoffice_mail_silent_seconds")).toBe(900)
  expect(sumOf(text, "boxoffice_cache_reads_total", { cache: "catalogue", outcome: "hit" })).toBe(7)
  expect(sumOf(text, "boxoffice_database_connections", { state: "busy" })).toBe(3)
  expect(sumOf(text, "boxoffice_database_pending_connections")).toBe(4)
})

test("exposes database_up 0 and no stale figures while the database is unavailable", async () => {
  respond = () => Promise.reject(new Error("gone"))
  const text = await shown()
  respond = async () => figures
  expect(sumOf(text, "boxoffice_database_up")).toBe(0)
  const names = samplesIn(text).map(({ name }) => name)
  expect(names).not.toContain("boxoffice_oldest_unprovisioned_order_seconds")
  expect(names).not.toContain("boxoffice_orders")
  expect(sumOf(await shown(), "boxoffice_database_up")).toBe(1)
})

test("exposes database_up 0 when the database exceeds the scrape timeout", async () => {
  respond = () => new Promise<BillingStats>(() => {})
  const text = await shown()
  respond = async () => figures
  expect(sumOf(text, "boxoffice_database_up")).toBe(0)
})

test.each([
  ["invalid_signature", new UntrustedCallbackError("signature")],
  ["unreadable", new GatewayError("unreadable", "nonsense")],
] as const)("counts a callback as %s and rethrows the error", async (outcome, error) => {
  const gateway = watchedGateway({
    parseCallback() {
      throw error
    },
  })
  const labels = { gateway: "offshore", outcome }
  const before = sumOf(await shown(), "boxoffice_callbacks_total", labels)
  const callback = { headers: new Headers(), body: Buffer.alloc(0), at: NOON, address: null }
  expect(() => gateway.parseCallback(callback)).toThrow(error)
  expect(sumOf(await shown(), "boxoffice_callbacks_total", labels)).toBe(before + 1)
})

test("counts a failed payment creation by the gateway's error kind", async () => {
  const gateway = watchedGateway({
    startPayment: () => Promise.reject(new GatewayError("unavailable", "no")),
  })
  await expect(gateway.startPayment({} as never)).rejects.toThrow("no")
  const labels = { gateway: "offshore", outcome: "unavailable" }
  expect(sumOf(await shown(), "boxoffice_payment_attempts_total", labels)).toBe(1)
})

test.each([
  ["applied", { kind: "applied", orderId: "1", event: null, isPaid: false }],
  ["duplicate", { kind: "duplicate", orderId: "1" }],
  ["unknown_attempt", { kind: "unknown-attempt" }],
  ["currency_mismatch", { kind: "currency-mismatch", orderId: "1" }],
] as const)("a payment update is counted as %s", async (outcome, recorded) => {
  const payments = { ...shop.services.payments, recordPaymentUpdate: () => Promise.resolve(recorded) }
  const labels = { gateway: "offshore", outcome }
  await metrics
    .instrumented({ ...shop.services, payments })
    .payments.recordPaymentUpdate("offshore", {} as never, NOON)
  expect(sumOf(await shown(), "boxoffice_payment_updates_total", labels)).toBe(1)
})

test("exposes every metric that the dashboard and the alerts query", async () => {
  metrics.instrument({ incoming: { method: "GET" }, outgoing: closing(), route: "/" } as never, () => {})
  const text = await shown()
  const held = samplesIn(text)
  const queries = [...expressionsIn(dashboard), ...rules.matchAll(/^ +(?:expr: )?(.*boxoffice_.*)$/gm)].map(
    (it) => it[1] ?? "",
  )
  expect(queries.length).toBeGreaterThan(20)
  for (const query of queries) {
    const names = [...query.matchAll(/\b(?:boxoffice|nodejs|process)_\w+/g)].map(([name]) => name)
    expect(names, query).not.toEqual([])
    for (const name of names) expect(held.map((it) => it.name)).toContain(name)
  }
})

test("every label value in the queries of dashboard and alerts exists", async () => {
  const known = new Set(samplesIn(await shown()).flatMap(({ labels }) => Object.values(labels)))
  // The 5xx series appears with the first failed request.
  known.add("5xx")
  const picked = [...`${rules}${dashboard}`.matchAll(/(?:state|outcome|status)=~?\\?"([^"\\]+)/g)]
  expect(picked.length).toBeGreaterThan(5)
  for (const [, values = ""] of picked) for (const value of values.split("|")) expect(known).toContain(value)
})

test("every Grafana panel has a unique id, a position, a title and a query", () => {
  const { panels, templating } = JSON.parse(dashboard)
  expect(templating.list[0]).toMatchObject({ name: "datasource", type: "datasource" })
  for (const panel of panels) {
    expect(panel).toMatchObject({ title: expect.any(String), gridPos: { x: expect.any(Number) } })
    expect(panel.targets.length).toBeGreaterThan(0)
  }
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length)
})

test("dashboard and alerts cover the metrics of mail; one message that waits is no alert", () => {
  for (const [name, isAlerted] of [
    ["boxoffice_mails", true],
    ["boxoffice_mail_silent_seconds", true],
    ["boxoffice_mail_oldest_unsent_seconds", false],
  ] as const) {
    expect([rules.includes(name), dashboard.includes(name)], name).toEqual([isAlerted, true])
  }
})

test("every alert has its runbook section in the docs", () => {
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = ""]) => name)
  const docs = readFileSync("docs/observability.md", "utf8")
  expect(alerts).toEqual(
    expect.arrayContaining([
      "PaidNotProvisioned",
      "NoCallbacks",
      "InvalidCallbackSignatures",
      "MailNotGoingOut",
    ]),
  )
  for (const name of alerts) {
    expect(rules).toContain(`runbook: docs/observability.md#${name.toLowerCase()}`)
    expect(docs).toMatch(new RegExp(`^### ${name}$`, "m"))
  }
})

function watchedGateway(ways: Partial<MonitoredGateway>): MonitoredGateway {
  const gateway = { ...shop.gateway.gateway, ...ways }
  const services = { ...shop.services, gateways: new Map([["offshore" as const, gateway]]) }
  const instrumented = metrics.instrumented(services).gateways.get("offshore")
  if (!instrumented) throw new Error("The gateway is gone")
  return instrumented
}

function expressionsIn(json: string): RegExpExecArray[] {
  return [...json.matchAll(/"expr": "(.*)"/g)]
}

/** A response that closes as soon as a listener is added. */
function closing() {
  return { statusCode: 200, once: (_event: string, listener: () => void) => listener() }
}
