import pino from "pino"
import { readCatalogueFile } from "~/billing/embedded/catalogue-file"
import demonstration from "~/billing/embedded/demonstration-catalogue.json?raw"
import { openEmbeddedBooks } from "~/billing/embedded/open-embedded.server"
import type { CompleteChoices } from "~/domain/choices"
import { type Money, money } from "~/domain/money"
import type { PaymentStatus } from "~/domain/payment"
import type { Gateway, GatewayError, PaymentRequest } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import type { Services } from "~/services.server"
import { sealWith } from "~/session-seal.server"

/** 20 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12)

export const choice: CompleteChoices = {
  ...{ plan: "3", extraConnection: true, proxyProtection: false, promoCode: null },
  ...{ email: "ana@example.test", gateway: "offshore" },
}

/** What that choice comes to: a year and an extra connection, in cents. */
export const TOTAL = 79_00 + 19_90

/** A whole shop in memory: real books, a gateway and a panel that do what a test says, and a clock in its hand. */
export async function openTestShop() {
  let now = NOON
  let drawn = 0
  let names = 0
  const log: Record<string, unknown>[] = []
  const gateway = testGateway()
  const panel = { broken: false }
  const newId = () => `name${++names}`
  const books = await openEmbeddedBooks({
    ...{ databaseUrl: ":memory:", timeoutMs: 1_000, newId },
    catalogue: async () => readCatalogueFile(demonstration),
  })
  const services: Services = {
    shop: {
      ...{ name: "Test", publicUrl: "https://shop.test", currency: "EUR", timeZone: "UTC" },
      ...{ defaultPlan: null, testMode: false },
    },
    ...{ billing: books.billing, till: books.till, outbox: books.outbox, catalogue: books.billing },
    gateways: new Map([["offshore", gateway.gateway]]),
    provisioner: {
      async create() {
        if (panel.broken) throw new ProvisioningError("the panel does not answer")
        return { host: "https://tv.test" }
      },
      playlist: async () => "#EXTM3U\n",
    },
    sessionSeal: sealWith(["x".repeat(32)], "session"),
    now: () => now,
    // Every number differs from the one before, as with a real die.
    draw: (below) => (drawn++ * 7 + Math.floor(drawn / below)) % below,
    newId,
    wakeJobs: () => {},
    healthy: books.healthy,
    log: pino({ base: null }, { write: (line: string) => void log.push(JSON.parse(line)) }),
  }
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  return { services, books, gateway, panel, log, wait }
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>

/** A provider whose payments are what a test makes them. */
function testGateway() {
  const opened: PaymentRequest[] = []
  const asked: string[] = []
  let failure: GatewayError | null = null
  let state: { status: PaymentStatus; received: Money } = { status: "pending", received: money(0, "EUR") }
  const gateway: Gateway = {
    id: "offshore",
    origins: ["https://pay.test"],
    async startPayment(payment) {
      if (failure) throw failure
      opened.push(payment)
      return { paymentId: payment.attemptId, url: `https://pay.test/${payment.attemptId}` }
    },
    readCallback: () => null,
    async askPayment({ paymentId }) {
      asked.push(paymentId)
      if (failure) throw failure
      const eventKey = `${paymentId}:${state.status}:${state.received.minor}`
      return { eventKey, attemptId: paymentId, transactionId: null, ...state }
    },
  }
  return {
    ...{ gateway, opened, asked },
    fail(error: GatewayError | null) {
      failure = error
    },
    says(status: PaymentStatus, minor: number) {
      state = { status, received: money(minor, "EUR") }
    },
  }
}
