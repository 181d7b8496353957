import type { Coin, Transfer } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import { type Money, money } from "~/domain/money"
import type { PaymentStatus } from "~/domain/payment"
import type { Service } from "~/domain/service"
import type { GatewayError, GuardedGateway, PaymentRequest } from "~/gateways/gateway"
import { type Provisioner, ProvisioningError } from "~/provisioning/provisioner"

/** A panel that does what it is told, and writes it down, until a test breaks it. */
export function testPanel() {
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
export function testGateway(id: GatewayId) {
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
