import type { Logger } from "pino"
import { BillingError } from "~/billing/billing"
import type { ExternalPaymentRequest, ExternalPayments } from "~/billing/external/external-orders"
import { toDecimal } from "~/domain/money"
import { nullIfUnsupported, type RemoteCall, type RequestParams } from "./api-client.server"
import { calls } from "./endpoints"
import { payLink } from "./payment-url"

export type RemotePaymentsSettings = {
  /** Where pay pages are known to be, whatever the gateway. */
  readonly payOrigins: readonly string[]
  readonly log: Logger
}

export type RemotePayments = ExternalPayments & {
  /** Where the pages of a gateway are, as they have said; what is no address of such a page teaches nothing. */
  learn(gateway: string, address: string): void
}

/** Links to pay by, and where they lead. */
export function remotePayments(
  remoteCall: RemoteCall,
  { payOrigins, log }: RemotePaymentsSettings,
): RemotePayments {
  const learnt = new Map<string, Set<string>>()

  function learn(gateway: string, address: string): void {
    const link = payLink(address)
    if (link === null) return
    const known = learnt.get(gateway) ?? new Set()
    learnt.set(gateway, known.add(new URL(link).origin))
  }

  const origins = (gateway: string) => [...new Set([...payOrigins, ...(learnt.get(gateway) ?? [])])]

  return {
    learn,
    origins,

    async link(payment) {
      const link = payLink((await linkBy(remoteCall, payment)) ?? "")
      if (link === null) throw new BillingError("unreadable", "They sent a link by which nobody can pay")
      const { origin } = new URL(link)
      if (!origins(payment.gateway).includes(origin)) {
        log.warn({ gateway: payment.gateway, origin }, "payment URL has an unknown origin")
      }
      learn(payment.gateway, link)
      return link
    },
  }
}

/** Two gateways have calls of their own in the spec; the others are extras, or come with the order. */
async function linkBy(remoteCall: RemoteCall, payment: ExternalPaymentRequest): Promise<string> {
  const { order, gateway } = payment
  const { customerId, invoiceId } = order
  if (invoiceId === null) throw new BillingError("refused", `Order ${order.orderId} has no invoice there`)
  const who = { customerId }
  const params = toRequestParams(payment, invoiceId)
  if (gateway === "offshore") return remoteCall(calls.offshore, params, who)
  if (gateway === "coinbase") return remoteCall(calls.coinbase, params, who)
  const link = await nullIfUnsupported(remoteCall(extra[gateway], params, who))
  if (link !== null) return link
  if (order.link !== null) return order.link
  throw new BillingError("refused", `They make no links for ${gateway}`)
}

const extra = { cryptomusgateway: calls.cryptomus, btcpay: calls.btcpay } as const

function toRequestParams(payment: ExternalPaymentRequest, invoice: string): RequestParams {
  const { gateway, order, productId, amount, attemptId, returnUrl, cancelUrl, locale } = payment
  const due = { amount: toDecimal(amount), currency: amount.currency }
  const names = { invoiceid: invoice, ...due, clientid: order.customerId, pid: productId }
  return {
    ...(gateway === "offshore" ? { invoice, ...due } : names),
    // Extras: an older server has set for itself where the buyer comes back to.
    ...{ returnurl: returnUrl, cancelurl: cancelUrl, attempt: attemptId, locale },
  }
}
