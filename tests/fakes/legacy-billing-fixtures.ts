import { pino } from "pino"
import type { Visitor } from "~/billing/customers/customers"
import type {
  ExternalOrder,
  ExternalOrderIds,
  ExternalOrderRef,
  ExternalPaymentRequest,
  ExternalUpsell,
} from "~/billing/external/external-orders"
import type { PaidExternalOrder } from "~/billing/external/external-services"
import type { RemoteSettings } from "~/billing/external/remote/remote.server"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import { money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"

const at = Date.UTC(2026, 10, 20, 12)

export const ana: Visitor = {
  email: "Ana@example.test",
  locale: "es-es",
  currency: "EUR",
  country: "ES",
  address: "203.0.113.7",
  at,
}

/** Settings of a remote adapter in tests: no delays. */
export const remoteSettings: Omit<RemoteSettings, "url"> = {
  keys: ["the key of this shop, which is long enough"],
  maps: "json",
  payOrigins: [],
  currency: "EUR",
  timeZone: "Europe/Madrid",
  resellerCredits: new Map([["21", 10]]),
  retryDelaysMs: [1],
  timeoutMs: 2_000,
  log: pino({ level: "silent" }),
  emailOf: async () => null,
}

const connection = { optionId: "2", choiceId: "7", name: "Extra connection" }
const proxy = { optionId: "4", choiceId: "9", name: "Proxy protection" }

export const extraConnection: QuoteLine = {
  ...connection,
  kind: "extraConnection",
  amount: money(500, "EUR"),
}
export const proxyProtection: QuoteLine = {
  ...proxy,
  kind: "proxyProtection",
  amount: money(250, "EUR"),
}

export function plan(productId: string, minor: number): QuoteLine {
  return { kind: "plan", productId, name: "1 month", amount: money(minor, "EUR") }
}

export function externalOrder(customerId: string, changes: Partial<ExternalOrder> = {}): ExternalOrder {
  return {
    orderId: "ABCDEFGHJK",
    kind: "plan",
    customerId,
    email: ana.email,
    country: "ES",
    address: "203.0.113.7",
    locale: "es-es",
    cycle: "monthly",
    gateway: "offshore",
    affiliateId: null,
    accessScope: null,
    credentials: { username: "TV23456789", password: "0123456789" },
    connections: 1,
    at,
    quote: { lines: [plan("3", 1250)], total: money(1250, "EUR") },
    ...changes,
  }
}

export function externalUpsell(customerId: string, serviceId: string): ExternalUpsell {
  const { email, locale } = ana
  const amount = money(1000, "EUR")
  const more: QuoteLine = { ...connection, kind: "moreConnections", quantity: 2, amount }
  return {
    orderId: "MNPQRSTWXY",
    customerId,
    email,
    locale,
    gateway: "coinbase",
    accessScope: { reach: "account" },
    at,
    serviceId,
    quantity: 2,
    connections: 1,
    quote: { lines: [more], total: amount },
  }
}

export function owned(
  customerId: string,
  placed: ExternalOrderIds,
  kind: ExternalOrderRef["kind"] = "plan",
): ExternalOrderRef {
  return { ...placed, customerId, kind, number: "ABCDEFGHJK", username: "TVABCDEFGH" }
}

export function paid(ref: ExternalOrderRef, changes: Partial<PaidExternalOrder> = {}): PaidExternalOrder {
  const payment = { transactionId: "attempt-1", gateway: "offshore", amount: money(1250, "EUR"), at } as const
  return {
    ...ref,
    productId: "3",
    total: money(1250, "EUR"),
    gateway: "offshore",
    at,
    payments: [payment],
    covered: payment.amount,
    credentials: { username: "TV23456789", password: "0123456789" },
    isRecreation: false,
    connections: 1,
    ...changes,
  }
}

export function payment(order: ExternalOrderRef, gateway: GatewayId): ExternalPaymentRequest {
  return {
    order,
    gateway,
    productId: "3",
    amount: money(1250, "EUR"),
    attemptId: "attempt-1",
    returnUrl: "https://shop.example.test/checkout/waiting?resume=r",
    locale: "es-es",
    cancelUrl: "https://shop.example.test/checkout/waiting",
  }
}
