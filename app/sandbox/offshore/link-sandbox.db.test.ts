import { pino } from "pino"
import { afterAll, expect, test, vi } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { openOffshore } from "~/gateways/offshore/offshore.server"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import { openCallbackShop } from "../../../tests/fakes/callback-receiver"
import {
  OFFSHORE_LINKS,
  OFFSHORE_SECRET,
  offshoreCallback,
  paymentUpdated,
} from "../../../tests/fakes/offshore"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { startSandbox } from "../sandbox.server"

const shop = await openCallbackShop()
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  callbackSecret: OFFSHORE_SECRET,
  now: Date.now,
  offshoreLinks: { ...OFFSHORE_LINKS, callbackUrl: `${shop.origin}/the-account's` },
  shops: [shop.origin],
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
})

const gateway = openOffshore({
  url: `${sandbox.origin}/offshore`,
  callbackSecrets: [OFFSHORE_SECRET],
  timeoutMs: 5_000,
  link: OFFSHORE_LINKS,
})
let attempts = 0
const paidNow = { body: paymentUpdated(), at: Date.now() }

gatewayContract("offshore by links, simulated by the sandbox", {
  gateway,
  payment: paymentRequest({ attemptId: "attempt-7" }),
  paid: offshoreCallback(paidNow),
  forged: offshoreCallback({ ...paidNow, secret: "whsec_AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH" }),
  pay: (url) => choose(url, "paid"),
  cannotBePolled: true,
})

test.each([
  ["paid", "returnUrl", [["paid", 1250]]],
  ["failed", "returnUrl", [["failed", 0]]],
  [
    "paid-twice",
    "returnUrl",
    [
      ["paid", 1250],
      ["paid", 1250],
    ],
  ],
] as const)(
  "outcome %s in link mode redirects the buyer to the shop and sends signed callbacks",
  async (outcome, leadsTo, result) => {
    const payment = paymentRequest()
    const { url } = await gateway.startPayment(payment)
    expect((await fetch(url)).status).toBe(200)
    const left = await choose(url, outcome)
    expect([left.status, left.headers.get("location")]).toEqual([303, payment[leadsTo]])
    const update = await toPaymentUpdate(payment, result.length)
    expect(update.map((it) => [it.status, it.received.minor])).toEqual(result)
    expect(new Set(update.map(({ eventKey }) => eventKey)).size).toBe(1)
  },
)

test("leaving a link mode payment redirects to the link's cancel URL and keeps the payment open", async () => {
  const payment = paymentRequest()
  const { url } = await gateway.startPayment(payment)
  expect((await choose(url, "abandoned")).headers.get("location")).toBe(payment.cancelUrl)
  expect((await choose(url, "paid")).headers.get("location")).toBe(payment.returnUrl)
})

test("startPayment in link mode returns the same link for the same attempt later", async () => {
  const payment = paymentRequest({ startedAt: Date.now() - 3_600_000 })
  const { url } = await gateway.startPayment(payment)
  expect((await choose(url, "paid")).status).toBe(303)
  const again = await gateway.startPayment(payment)
  expect(again.url).toBe(url)
  expect(await (await fetch(again.url)).text()).not.toContain("Pay €12.50</button>")
})

test("the link mode payment page allows the form redirect to the shop, and is not cached", async () => {
  const page = await fetch((await gateway.startPayment(paymentRequest())).url)
  expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' ${shop.origin};`)
  expect(page.headers.get("cache-control")).toBe("no-store")
  expect(page.headers.get("referrer-policy")).toBe("no-referrer")
})

test("payments created in API mode and link mode stay separate for the same attempt id", async () => {
  const payment = paymentRequest()
  const byApi = openOffshore({
    url: `${sandbox.origin}/offshore`,
    callbackSecrets: [OFFSHORE_SECRET],
    timeoutMs: 5_000,
  })
  const opened = await byApi.startPayment(payment)
  await choose((await gateway.startPayment(payment)).url, "paid-unreported")
  expect(await byApi.fetchPayment(opened)).toMatchObject({ status: "pending" })
})

/** Waits for `count` callbacks about a payment and returns their updates. */
function toPaymentUpdate({ attemptId }: PaymentRequest, count: number) {
  return vi.waitFor(() => {
    const update = shop.calls.flatMap((call) => parsedUpdate(gateway, call) ?? [])
    const received = update.filter((it) => it.attemptId === attemptId)
    expect(received).toHaveLength(count)
    return received
  }, 15_000)
}

function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    attemptId: `attempt-new-${++attempts}`,
    startedAt: Date.now(),
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    returnUrl: `${shop.origin}/waiting?returned&resume=it's*(a)!way`,
    cancelUrl: `${shop.origin}/waiting?resume=token`,
    callbackUrl: `${shop.origin}/callback`,
    expiresAt: Date.now() + 3_600_000,
    locale: defaultLocale,
    ...changes,
  }
}

function choose(url: string, outcome: string): Promise<Response> {
  return fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
}
