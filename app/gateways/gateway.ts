import type { Instant } from "~/domain/calendar"
import type { Locale } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { CallbackAnswer } from "~/domain/payments/callback-test"
import type { Coin, Transfer } from "~/domain/payments/coin"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentUpdate } from "~/domain/payments/payment"
import type { CircuitHealth } from "~/http/circuit"

/** Payment gateway port: starts payments, verifies and parses callbacks, polls and closes payments. */
export interface Gateway {
  readonly id: GatewayId
  /** Origins of the payment pages: shown to the buyer, and allowed in the CSP `form-action` directive. */
  readonly origins: readonly string[]
  /** Whether an open, partially paid payment accepts the remaining amount. If false, the rest needs a new payment. */
  readonly takesTopUps: boolean
  /** Creates the payment. Idempotent per `attemptId`: a repeat returns the existing payment. Throws `GatewayError`. */
  startPayment(payment: PaymentRequest): Promise<OpenedPayment>
  /** Null: payments are made on the provider's hosted page only. */
  readonly onSite: OnSitePayments | null
  /**
   * Verifies the signature of a callback (webhook), then parses it. Returns null when it is not about a payment of this
   * shop, and a hint when it lacks data that `fetchPayment` must supply. Throws `UntrustedCallbackError` when the
   * verification fails, or a `GatewayError` (`unreadable`, with `attemptId` if known) for an unknown signed payload.
   */
  parseCallback(callback: RawCallback): PaymentUpdate | CallbackHint | null
  /**
   * A callback as the provider would sign it now, about no payment: `parseCallback` returns null for it. Null: this gateway gets no
   * callbacks.
   */
  readonly testCallback: ((at: Instant) => SignedCallback) | null
  /** Lets the operator request callbacks. Null: the provider's API does not support it. */
  readonly calls: CallbackRequests | null
  /** Pays money back through the provider's API. Null: it has none, and the operator pays it back. */
  readonly refunds: GatewayRefunds | null
  /**
   * Cancels a payment at the provider. `stays-open`: the provider cannot cancel it, so it ends when it expires.
   * Throws `GatewayError`.
   */
  closePayment(payment: { paymentId: string }): Promise<"closed" | "stays-open">
  /**
   * Fetches the current state of a payment. Null: the provider cannot be queried and reports by callback only.
   * Throws `GatewayError`.
   */
  fetchPayment(payment: { paymentId: string }): Promise<PaymentUpdate | null>
}

/** Pays money back by the provider's API. */
export interface GatewayRefunds {
  /** The provider needs an address of the buyer to send the money to. */
  readonly needsAddress: boolean
  /** The provider pays back all that was received, and no part of it. */
  readonly isWholeOnly: boolean
  /**
   * Pays back money of a payment. Idempotent by `key`: a repeat moves no more money, and returns the refund as it is then.
   * Throws `GatewayError`; `refused`: no money moves for this key.
   */
  refund(refund: RefundRequest): Promise<RefundReceipt>
}

/** `key`: at most 43 characters of base64url. `address`: the buyer's, where the provider needs one. */
export type RefundRequest = {
  readonly key: string
  readonly paymentId: string
  readonly amount: Money
  readonly address: string | null
}

/**
 * `pending`: the provider has accepted it, and a repeat tells what has become of it. `done`: the money has left the shop.
 * `claimUrl`: where the buyer takes it; null if it is sent.
 */
export type RefundReceipt = { readonly state: "pending" | "done"; readonly claimUrl: string | null }

/** Requests callbacks from the provider, so that the operator can test their delivery. Each throws `GatewayError`. */
export interface CallbackRequests {
  /** Requests the last callback of a final payment again. */
  resend(payment: { paymentId: string }): Promise<void>
  /** Requests a callback about a payment that does not exist: the shop accepts it and changes nothing. */
  sendTest(to: { callbackUrl: string }): Promise<void>
}

/** A gateway with a circuit breaker: calls to a degraded gateway fail immediately. */
export type MonitoredGateway = Gateway & {
  /** False while the circuit is open. */
  healthy(): boolean
  /** As this process sees it. */
  health(): CircuitHealth
}

export type PaymentRequest = {
  /** The shop's id of this attempt; also the idempotency key of the payment. */
  attemptId: string
  /** When the attempt was created: the same on every repeat, for providers whose links contain a timestamp. */
  startedAt: Instant
  orderId: string
  amount: Money
  returnUrl: string
  cancelUrl: string
  callbackUrl: string
  expiresAt: Instant
  locale: Locale
  /** Set when the buyer has chosen a coin and pays on the shop's own page. */
  coin?: Coin
}

/** On-site payments: the buyer chooses a coin in the checkout form and pays on the shop's own page. */
export interface OnSitePayments {
  /** Resolves once the first list of coins has arrived or failed. Only the cache in front of a gateway has it. */
  readonly listed?: Promise<void>
  /** Lists the coins this shop accepts, in the provider's order. Throws `GatewayError`. */
  coins(): Promise<readonly Coin[]>
  /**
   * Fetches the transfer details of a payment that was created with a coin. Null: created without a coin, or ended.
   * `received`: what is known to have arrived of it; only the cache in front of a gateway reads it. Throws `GatewayError`.
   */
  transfer(payment: { paymentId: string; received?: Money }): Promise<Transfer | null>
}

/** `endsAt`: when the provider stops accepting money for the payment, where it reports that. */
export type OpenedPayment = { paymentId: string; url: string; endsAt?: Instant }

/** A callback without the data of a payment update: the payment `paymentId` must be fetched. */
export type CallbackHint = { readonly paymentId: string; readonly attemptId: string }

/**
 * A callback as received; `body` holds the raw bytes, because the signature covers bytes. `at`: time of receipt.
 * `address`: IP address of the client, null when unknown.
 */
export type RawCallback = { headers: Headers; body: Buffer; at: Instant; address: string | null }

/** A signed callback to be sent. */
export type SignedCallback = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** Sends a callback to an address once and never throws. Redirects are not followed. */
export type PostCallback = (url: string, callback: SignedCallback) => Promise<CallbackAnswer>

/** The callback could not be authenticated. The message is for the log only, never for the HTTP response. */
export class UntrustedCallbackError extends Error {
  override name = "UntrustedCallbackError"
}

type GatewayErrorOptions = ErrorOptions & {
  readonly refusesKey?: boolean
  readonly isTransient?: boolean
  readonly attemptId?: string | null
  readonly retryAfterSeconds?: number | null
}

/**
 * A failed provider call. `refused`: the provider rejected the request. `unavailable`: no response, 5xx or 429.
 * `unreadable`: the response or callback could not be parsed.
 */
export class GatewayError extends Error {
  override name = "GatewayError"

  /** 401 or 403: the operator has to check the API key and its permissions. */
  readonly refusesKey: boolean
  /** A later retry of the same request may succeed. */
  readonly isTransient: boolean
  /** The attempt an unreadable report is about, if it could be parsed. */
  readonly attemptId: string | null
  /** How long the provider, or external billing, asks to be left alone; null: it does not. */
  readonly retryAfterSeconds: number | null

  constructor(
    readonly kind: "refused" | "unavailable" | "unreadable",
    message: string,
    {
      refusesKey = false,
      isTransient = kind === "unavailable",
      attemptId = null,
      retryAfterSeconds = null,
      ...options
    }: GatewayErrorOptions = {},
  ) {
    super(message, options)
    this.refusesKey = refusesKey
    this.isTransient = isTransient
    this.attemptId = attemptId
    this.retryAfterSeconds = retryAfterSeconds
  }
}
