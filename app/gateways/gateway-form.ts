import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { PaymentUpdate } from "~/domain/payments/payment"
import {
  type CallbackHint,
  type CallbackRequests,
  type Gateway,
  GatewayError,
  type GatewayRefunds,
  type OnSitePayments,
  type OpenedPayment,
  type PaymentRequest,
  type RawCallback,
  type SignedCallback,
} from "./gateway"

/** A payment as the provider returns it; `url`: null when it named no payment page. */
type ProviderPayment = Omit<OpenedPayment, "url"> & { readonly url: string | null }

/**
 * What distinguishes a provider, from which `gatewayOf` makes the rest of a gateway. Features that a provider lacks are null.
 */
export type GatewayForm<Signed> = {
  readonly id: GatewayId
  /** Name in messages for the operator. */
  readonly name: string
  readonly origins: readonly string[]
  readonly takesTopUps: boolean
  /** Creates the payment, or returns the existing one of the attempt. */
  open(payment: PaymentRequest): Promise<ProviderPayment>
  /** Verifies a callback and returns its signed content. Throws `UntrustedCallbackError`. */
  verify(callback: RawCallback): Signed
  /** Parses the signed content. See `Gateway.parseCallback`. */
  read(signed: Signed): PaymentUpdate | CallbackHint | null
  /** Signs a callback about no payment. See `Gateway.testCallback`. */
  test(at: Instant): SignedCallback
  /** Fetches a payment by its id. Null: the provider cannot be queried. */
  readonly poll: ((paymentId: string) => Promise<PaymentUpdate>) | null
  /** Cancels a payment; returns whether it is closed. Null: the provider cannot cancel. */
  readonly close: ((paymentId: string) => Promise<boolean>) | null
  readonly onSite: OnSitePayments | null
  readonly calls: CallbackRequests | null
  readonly refunds: GatewayRefunds | null
}

/** Creates a gateway from its form. The buyer is sent to pages at the form's origins only. */
export function gatewayOf<Signed>(form: GatewayForm<Signed>): Gateway {
  const { id, name, origins, takesTopUps, poll, close, onSite, calls, refunds } = form
  return {
    id,
    origins,
    takesTopUps,
    onSite,
    calls,
    refunds,
    async startPayment(payment) {
      const { url, ...opened } = await form.open(payment)
      if (url !== null && origins.includes(new URL(url).origin)) return { ...opened, url }
      throw new GatewayError("unreadable", `Invalid payment link: origin is not ${name}'s`)
    },
    testCallback: (at) => form.test(at),
    parseCallback: (callback) => form.read(form.verify(callback)),
    fetchPayment: async ({ paymentId }) => (poll ? await poll(paymentId) : null),
    closePayment: async ({ paymentId }) => (close && (await close(paymentId)) ? "closed" : "stays-open"),
  }
}

/** Origins of a provider's pages and API. */
export function originsOf(...urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => new URL(url).origin))]
}

/** Throws `GatewayError` unless the provider's response is about the wanted payment. */
export function checkPaymentId(form: { readonly name: string }, got: string, wanted: string): void {
  if (got !== wanted) throw new GatewayError("unreadable", `Invalid ${form.name} response: wrong payment id`)
}
