import type { Logger } from "pino"
import { BillingError } from "~/billing/billing"
import type { ExternalPaymentRequest, ExternalPayments } from "~/billing/external/external-orders"
import { toDecimal } from "~/domain/money/money"
import { nullIfUnsupported, type RemoteCall, type RequestParams } from "./api-client.server"
import { payLink } from "./payment-url"
import { calls } from "./remote-calls"

export type RemotePaymentsSettings = {
  /** Known origins of payment pages, for every gateway. */
  readonly payOrigins: readonly string[]
  readonly log: Logger
}

export type RemotePayments = ExternalPayments & {
  /** Records the origin of a gateway's payment page; ignores invalid URLs. */
  learn(gateway: string, address: string): void
}

/** Payment URLs of the server, and their origins. */
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
      if (link === null)
        throw new BillingError("unreadable", "Invalid payment URL in the response of the billing server")
      const { origin } = new URL(link)
      if (!origins(payment.gateway).includes(origin)) {
        log.warn({ gateway: payment.gateway, origin }, "payment URL has an unknown origin")
      }
      learn(payment.gateway, link)
      return link
    },
  }
}

/** The spec has calls for offshore and coinbase. For others, an extra call or the order's response gives the URL. */
async function linkBy(remoteCall: RemoteCall, payment: ExternalPaymentRequest): Promise<string> {
  const { order, gateway } = payment
  const { customerId, invoiceId } = order
  if (invoiceId === null)
    throw new BillingError("refused", `Order ${order.orderId} has no invoice at the billing server`)
  const who = { customerId }
  const params = toRequestParams(payment, invoiceId)
  if (gateway === "offshore") return remoteCall(calls.offshore, params, who)
  if (gateway === "coinbase") return remoteCall(calls.coinbase, params, who)
  const link = await nullIfUnsupported(remoteCall(extra[gateway], params, who))
  if (link !== null) return link
  if (order.link !== null) return order.link
  throw new BillingError("refused", `Payment URL not found for gateway ${gateway}`)
}

const extra = { cryptomusgateway: calls.cryptomus, btcpay: calls.btcpay } as const

function toRequestParams(payment: ExternalPaymentRequest, invoice: string): RequestParams {
  const { gateway, order, productId, amount, attemptId, returnUrl, cancelUrl, locale } = payment
  const due = { amount: toDecimal(amount), currency: amount.currency }
  const names = { invoiceid: invoice, ...due, clientid: order.customerId, pid: productId }
  return {
    ...(gateway === "offshore" ? { invoice, ...due } : names),
    // Extras: an older server uses return URLs from its own configuration.
    returnurl: returnUrl,
    cancelurl: cancelUrl,
    attempt: attemptId,
    locale,
  }
}
