import pino from "pino"
import { readCatalogueFile } from "~/billing/embedded/catalogue-file"
import demonstration from "~/billing/embedded/demonstration-catalogue.json?raw"
import { openEmbeddedBooks } from "~/billing/embedded/open-embedded.server"
import type { CompleteChoices } from "~/domain/choices"
import type { Coin, Transfer } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { type Money, money } from "~/domain/money"
import type { PaymentStatus } from "~/domain/payment"
import type { Service } from "~/domain/service"
import type { GatewayError, GuardedGateway, PaymentRequest } from "~/gateways/gateway"
import { type Provisioner, ProvisioningError } from "~/provisioning/provisioner"
import { rateLimits } from "~/rate-limits.server"
import type { Services } from "~/services.server"
import { sealWith } from "~/session-seal.server"
import { signWith } from "~/signature.server"

/** 20 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12)

export const choice: CompleteChoices = {
  ...{ kind: "plan", plan: "3", extraConnection: true, proxyProtection: false, promoCode: null },
  ...{ email: "ana@example.test", gateway: "offshore", coin: null },
}

/** What that choice comes to: a year and an extra connection, in cents. */
export const TOTAL = 79_00 + 19_90

/**
 * A whole shop: real books, in memory unless a database is named, a gateway and a panel that do what a test says, and
 * a clock in its hand.
 */
export async function openTestShop({ databaseUrl = ":memory:" } = {}) {
  let now = NOON
  let drawn = 0
  let names = 0
  const log: Record<string, unknown>[] = []
  const gateway = testGateway("offshore")
  const other = testGateway("coinbase")
  const { panel, provisioner } = testPanel()
  const newId = () => `name${++names}`
  const books = await openEmbeddedBooks({
    ...{ databaseUrl, timeoutMs: 1_000, newId },
    catalogue: async () => readCatalogueFile(demonstration),
  })
  const services: Services = {
    shop: {
      brand: { name: "Test", title: {}, guarantee: {}, colours: { light: "#405db1", dark: null } },
      ...{ logo: null, publicUrl: "https://shop.test", currency: "EUR", timeZone: "UTC" },
      ...{ defaultPlan: null, defaultResellerPlan: null, newResellerPlan: null },
      ...{ testMode: false, defaultCountry: "MA", fallbackAddress: "0.0.0.0" },
      ...{ fraudCheck: true, trustEmailLinks: false, analytics: null, apps: [], retention: null },
      links: { guides: null, speedTest: null, support: null },
    },
    ...{ billing: books.billing, till: books.till, outbox: books.outbox },
    catalogue: { ...books.billing, paused: () => false, pause: () => {} },
    gateways: new Map([gateway.gateway, other.gateway].map((it) => [it.id, it])),
    offered: ["offshore", "coinbase"],
    tolerance: {},
    provisioner,
    countryOf: async () => "XX",
    market: { country: "XX", currency: "EUR" },
    rateLimits: rateLimits(),
    sessionSeal: sealWith(["x".repeat(32)], "session"),
    served: null,
    signer: signWith(["x".repeat(32)], "links"),
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
  return { services, books, gateway, other, panel, log, wait }
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>

/** A panel that does what it is told, and writes it down, until a test breaks it. */
function testPanel() {
  const panel = { broken: false, told: [] as { what: string; line: Service }[] }
  const tell = (what: string) => async (line: Service) => {
    if (panel.broken) throw new ProvisioningError("the panel does not answer")
    panel.told.push({ what, line })
  }
  const provisioner: Provisioner = {
    async create(line) {
      await tell("create")(line)
      return { host: "https://tv.test" }
    },
    terminate: tell("terminate"),
    restart: tell("restart"),
    setDeviceAddress: tell("device"),
    setConnections: tell("connections"),
    playlist: async () => "#EXTM3U\n",
    playlistAddress: () => null,
  }
  return { panel, provisioner }
}

/** A provider whose payments are what a test makes them. */
function testGateway(id: GatewayId) {
  const closed: string[] = []
  let closes = false
  let answers = true
  const opened: PaymentRequest[] = []
  const asked: string[] = []
  let failure: GatewayError | null = null
  let state: { status: PaymentStatus; received: Money } = { status: "pending", received: money(0, "EUR") }
  let troubled = false
  let leads: string | null = null
  let coins: readonly Coin[] = []
  let transfer: Transfer | null = null
  const gateway: GuardedGateway = {
    healthy: () => !troubled,
    id,
    origins: [id === "offshore" ? "https://pay.test" : `https://${id}.test`],
    async startPayment(payment) {
      if (failure) throw failure
      opened.push(payment)
      return { paymentId: payment.attemptId, url: `${leads ?? gateway.origins[0]}/${payment.attemptId}` }
    },
    direct: {
      coins: async () => coins,
      transfer: async () => {
        if (failure) throw failure
        return transfer
      },
    },
    readCallback: () => null,
    async closePayment({ paymentId }) {
      if (failure) throw failure
      closed.push(paymentId)
      return closes ? "closed" : "stays-open"
    },
    async askPayment({ paymentId }) {
      asked.push(paymentId)
      if (failure) throw failure
      if (!answers) return null
      const eventKey = `${paymentId}:${state.status}:${state.received.minor}`
      return { eventKey, attemptId: paymentId, transactionId: null, ...state }
    },
  }
  return {
    ...{ gateway, opened, asked, closed },
    /** What can be paid in on our own page, and how. */
    takes(next: readonly Coin[], how: Transfer | null) {
      coins = next
      transfer = how
    },
    /** From now on its payments are made somewhere that nobody has heard of. */
    leadsTo(origin: string) {
      leads = origin
    },
    /** From now on it is known not to answer. */
    isInTrouble() {
      troubled = true
    },
    /** From now on it closes payments when it is asked to. */
    canClose() {
      closes = true
    },
    /** From now on it cannot be asked about payments. */
    cannotBeAsked() {
      answers = false
    },
    fail(error: GatewayError | null) {
      failure = error
    },
    says(status: PaymentStatus, minor: number) {
      state = { status, received: money(minor, "EUR") }
    },
  }
}
