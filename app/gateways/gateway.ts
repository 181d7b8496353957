import type { Instant } from "~/domain/calendar"
import type { Coin, Transfer } from "~/domain/coin"
import type { GatewayId } from "~/domain/gateway-id"
import type { Locale } from "~/domain/locales"
import type { Money } from "~/domain/money"
import type { PaymentUpdate } from "~/domain/payment"

/** A way to be paid: send the payer away, understand who calls back, ask what has become of a payment. */
export interface Gateway {
  readonly id: GatewayId
  /** Origins the buyer is sent to: shown to him, and allowed as targets of our forms. */
  readonly origins: readonly string[]
  /**
   * Whether a payment that is still open takes the rest after part of its amount has come. Otherwise the rest is a new
   * payment.
   */
  readonly takesTopUps: boolean
  /** Opens the payment, or answers with the one the same attempt opened before. Throws a `GatewayError`. */
  startPayment(payment: PaymentRequest): Promise<OpenedPayment>
  /** Null: payments are made on the provider's own page only. */
  readonly onSite: OnSitePayments | null
  /**
   * Checks who is speaking before reading a word. Null: news that is not about a payment. A hint where the callback does
   * not say enough of a payment of ours, and the provider can be asked. Throws `UntrustedCallback`, or a `GatewayError`
   * (`unreadable`, with the attempt if it could be read) when it is the provider and its words are unknown.
   */
  parseCallback(callback: RawCallback): PaymentUpdate | CallbackHint | null
  /** For the operator, where the provider has a way: having it call. */
  readonly calls?: CallbackRequests
  /**
   * Asks the provider to take no money for a payment any more. `stays-open` where it cannot be asked to: the
   * payment ends by itself in time. Throws a `GatewayError`.
   */
  closePayment(payment: { paymentId: string }): Promise<"closed" | "stays-open">
  /**
   * What the provider says of a payment now. Null where it has no way to be asked: its callbacks are all there is
   * to know. Throws a `GatewayError`.
   */
  fetchPayment(payment: { paymentId: string }): Promise<PaymentUpdate | null>
}

/** Has the provider call the shop, so that the operator sees that its callbacks come. Each throws a `GatewayError`. */
export interface CallbackRequests {
  /** Once more what it has said of a payment that is decided. */
  resend(payment: { paymentId: string }): Promise<void>
  /** About a payment that is nobody's: the shop takes it and does nothing. */
  sendTest(to: { callbackUrl: string }): Promise<void>
}

/** A gateway that is known to be in trouble is not waited for. */
export type MonitoredGateway = Gateway & {
  /** False once it has failed again and again, until it is seen to work. */
  healthy(): boolean
}

export type PaymentRequest = {
  /** Our name for this attempt; also the key under which a repeat is the same payment. */
  attemptId: string
  /** When the attempt was begun: the same on every repeat, for providers whose links carry a time. */
  startedAt: Instant
  orderId: string
  amount: Money
  returnUrl: string
  cancelUrl: string
  callbackUrl: string
  expiresAt: Instant
  locale: Locale
  /** The buyer has chosen what to pay in, and pays on our own page. */
  coin?: Coin
}

/** Payments that are made on our own page: the buyer chooses a coin in our form, and needs no provider's page. */
export interface OnSitePayments {
  /** What can be paid in at this shop, in the provider's order. Throws a `GatewayError`. */
  coins(): Promise<readonly Coin[]>
  /** How the payment that was opened with a coin is made; null when it was opened without one, or has ended. Throws a `GatewayError`. */
  transfer(payment: { paymentId: string }): Promise<Transfer | null>
}

/** `endsAt`: when the provider stops taking money for it, where it says so. */
export type OpenedPayment = { paymentId: string; url: string; endsAt?: Instant }

/** The provider says only that something has happened: it must be asked about the payment it names so. */
export type CallbackHint = { readonly paymentId: string; readonly attemptId: string }

/**
 * The bytes as they came: a signature is over bytes, not over what they mean. `at` is when they came, `address` who
 * brought them; null when that is not known.
 */
export type RawCallback = { headers: Headers; body: Buffer; at: Instant; address: string | null }

/** The caller could not be shown to be the provider. `reason` is for the log and never for the answer. */
export class UntrustedCallbackError extends Error {
  override name = "UntrustedCallback"
}

type GatewayErrorOptions = ErrorOptions & {
  readonly refusesKey?: boolean
  readonly mayPass?: boolean
  readonly attemptId?: string | null
}

/** `refused`: the provider said no. `unavailable`: it did not answer. `unreadable`: it answered nonsense. */
export class GatewayError extends Error {
  override name = "GatewayError"

  /** It takes us for nobody, or for somebody who may not: the operator has to look at our key. */
  readonly refusesKey: boolean
  /** The same question may go better later. */
  readonly mayPass: boolean
  /** Our name for the attempt that an unreadable report is about, as far as that could be read. */
  readonly attemptId: string | null

  constructor(
    readonly kind: "refused" | "unavailable" | "unreadable",
    message: string,
    {
      refusesKey = false,
      mayPass = kind === "unavailable",
      attemptId = null,
      ...options
    }: GatewayErrorOptions = {},
  ) {
    super(message, options)
    this.refusesKey = refusesKey
    this.mayPass = mayPass
    this.attemptId = attemptId
  }
}
