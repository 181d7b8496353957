import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import type { BillingStats } from "~/billing/billing-stats"
import type { MailStats } from "~/billing/mail-repository"
import { DAY, MINUTE } from "~/domain/calendar"
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
const mailFigures: MailStats = {
  counts: [
    { name: "receipt", state: "sent", count: 5 },
    { name: "receipt", state: "rejected", count: 1 },
  ],
  oldestUnsent: NOON - 16 * MINUTE,
  lastAccepted: NOON,
  silentSince: NOON - 15 * MINUTE,
}
let respondOfMail: () => Promise<MailStats> = async () => mailFigures
/** The beginnings of the times that were asked for. */
const since: number[] = []

beforeAll(async () => {
  port = await freePort()
  shop = await openTestShop()
  metrics = await openMetrics(
    { host: "127.0.0.1", port },
    {
      figures: (_, from) => {
        since.push(from)
        return respond()
      },
      connections: () => ({ idle: 2, busy: 3, waiting: 4 }),
      mails: (_, from) => {
        since.push(from)
        return respondOfMail()
      },
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
  expect(sumOf(text, "boxoffice_dunning_stopped")).toBe(1)
  expect(sumOf(text, "boxoffice_dunning_oldest_due_step_seconds")).toBe(240)
})

test("orders and messages are those of the last 24 hours", async () => {
  since.length = 0
  await shown()
  expect(since).toEqual([NOON - DAY, NOON - DAY])
})

test("reads of a cache are counted once, however often the metrics are scraped", async () => {
  for (const _ of ["one scrape", "another"]) await shown()
  expect(sumOf(await shown(), "boxoffice_cache_reads_total", { cache: "catalogue", outcome: "stale" })).toBe(
    2,
  )
})

test("work that is due in the future, by a clock that was set back, is not overdue", async () => {
  respond = async () => ({ ...figures, dueSince: NOON + MINUTE, brakeSince: null })
  const text = await shown()
  respond = async () => figures
  expect(sumOf(text, "boxoffice_outbox_oldest_due_job_seconds")).toBe(0)
  expect(sumOf(text, "boxoffice_dunning_stopped")).toBe(0)
})

test("exposes database_up 0 and no stale figures while the database is unavailable", async () => {
  respond = () => Promise.reject(new Error("gone"))
  const text = await shown()
  respond = async () => figures
  expect(sumOf(text, "boxoffice_database_up")).toBe(0)
  const names = samplesIn(text).map(({ name }) => name)
  for (const stale of [
    "boxoffice_oldest_unprovisioned_order_seconds",
    "boxoffice_orders",
    "boxoffice_outbox_jobs",
    "boxoffice_outbox_oldest_due_job_seconds",
    "boxoffice_dunning_stopped",
    "boxoffice_dunning_oldest_due_step_seconds",
  ])
    expect(names).not.toContain(stale)
  expect(sumOf(await shown(), "boxoffice_database_up")).toBe(1)
})

test("exposes no stale figures of mail while the mail log cannot be read", async () => {
  await shown()
  respondOfMail = () => Promise.reject(new Error("gone"))
  const names = samplesIn(await shown()).map(({ name }) => name)
  respondOfMail = async () => mailFigures
  for (const stale of [
    "boxoffice_mails",
    "boxoffice_mail_silent_seconds",
    "boxoffice_mail_oldest_unsent_seconds",
  ])
    expect(names).not.toContain(stale)
  expect(names).toContain("boxoffice_orders")
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

test.each([
  ["update", { attemptId: "a1" }],
  ["hint", { paymentId: "p1" }],
  ["ignored", null],
])("counts a callback that is read as %s", async (outcome, update) => {
  const gateway = watchedGateway({ parseCallback: () => update as never })
  const labels = { gateway: "offshore", outcome }
  const before = sumOf(await shown(), "boxoffice_callbacks_total", labels)
  gateway.parseCallback({} as never)
  expect(sumOf(await shown(), "boxoffice_callbacks_total", labels)).toBe(before + 1)
})

test("counts a payment that a gateway has opened", async () => {
  const gateway = watchedGateway({ startPayment: async () => ({}) as never })
  const labels = { gateway: "offshore", outcome: "opened" }
  const before = sumOf(await shown(), "boxoffice_payment_attempts_total", labels)
  await gateway.startPayment({} as never)
  expect(sumOf(await shown(), "boxoffice_payment_attempts_total", labels)).toBe(before + 1)
})

test("a gateway with metrics has the addresses that it has learnt since", () => {
  let origins = ["https://first.test"]
  const gateway: MonitoredGateway = {
    ...shop.gateway.gateway,
    get origins() {
      return origins
    },
  }
  const services = { ...shop.services, gateways: new Map([["offshore" as const, gateway]]) }
  const { gateways } = metrics.instrumented(services)
  origins = ["https://learnt.test"]
  expect(gateways.get("offshore")?.origins).toEqual(["https://learnt.test"])
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

test("a payment update that cannot be recorded is counted as failed, and fails", async () => {
  const gone = () => Promise.reject(new Error("gone"))
  const payments = { ...shop.services.payments, recordPaymentUpdate: gone }
  const recording = metrics
    .instrumented({ ...shop.services, payments })
    .payments.recordPaymentUpdate("offshore", {} as never, NOON)
  await expect(recording).rejects.toThrow("gone")
  const labels = { gateway: "offshore", outcome: "failed" }
  expect(sumOf(await shown(), "boxoffice_payment_updates_total", labels)).toBe(1)
})

test("the tolerance of a short payment reaches the ledger through the metrics", async () => {
  const passed: unknown[] = []
  const recordPaymentUpdate = async (...values: unknown[]) => {
    passed.push(...values)
    return { kind: "unknown-attempt" } as const
  }
  const payments = { ...shop.services.payments, recordPaymentUpdate }
  const update = {} as never
  const tolerance = { basisPoints: 50 } as never
  await metrics
    .instrumented({ ...shop.services, payments })
    .payments.recordPaymentUpdate("offshore", update, NOON, tolerance)
  expect(passed).toEqual(["offshore", update, NOON, tolerance])
})

test("a step of a purchase is counted in the metrics and in the shop's own sums", async () => {
  const counted: unknown[] = []
  const stepCounter = { ...shop.services.stepCounter, count: (...it: unknown[]) => void counted.push(it) }
  const { stepCounter: counter } = metrics.instrumented({ ...shop.services, stepCounter })
  const subject = { plan: "3", gateway: "offshore", locale: "en-en" } as const
  const labels = { step: "left", gateway: "offshore" }
  const before = sumOf(await shown(), "boxoffice_purchase_steps_total", labels)
  counter.count("left", subject)
  expect(sumOf(await shown(), "boxoffice_purchase_steps_total", labels)).toBe(before + 1)
  expect(counted).toEqual([["left", subject]])
})

test("requests are timed in seconds, and methods that a client makes up share a label", async () => {
  const times = [2_000, 2_500]
  const clock = vi.spyOn(performance, "now").mockImplementation(() => times.shift() ?? 0)
  metrics.instrument({ incoming: { method: "BREW" }, outgoing: closing(), route: "/brew" } as never, () => {})
  clock.mockRestore()
  const labels = { route: "/brew", method: "other", status: "2xx" }
  expect(sumOf(await shown(), "boxoffice_request_duration_seconds_sum", labels)).toBe(0.5)
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
