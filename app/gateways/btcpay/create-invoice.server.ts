import { sameAmount } from "~/domain/money/money"
import { GatewayError, type PaymentRequest } from "~/gateways/gateway"
import type { BtcpayApi } from "./api.server"
import type { BtcpayInvoice } from "./invoice"
import { methodOf } from "./methods"

type CreateInvoice = (payment: PaymentRequest) => Promise<BtcpayInvoice>

/**
 * Creates the invoice of an attempt, or returns the existing one. The API has no idempotency key, so existing invoices
 * are searched first, and concurrent requests for one attempt share one call. Throws `GatewayError`.
 */
export function createInvoiceOnce(btcpay: BtcpayApi): CreateInvoice {
  const inFlight = new Map<string, Promise<BtcpayInvoice>>()
  function begin(payment: PaymentRequest): Promise<BtcpayInvoice> {
    const opening = foundOrMade(btcpay, payment).finally(() => inFlight.delete(payment.attemptId))
    inFlight.set(payment.attemptId, opening)
    return opening
  }
  return async (payment) => matchesRequest(await (inFlight.get(payment.attemptId) ?? begin(payment)), payment)
}

async function foundOrMade(btcpay: BtcpayApi, payment: PaymentRequest): Promise<BtcpayInvoice> {
  return (await btcpay.opened(payment.attemptId)) ?? make(btcpay, payment)
}

/**
 * Creates an invoice, then searches again: another instance may have created one first, or the invoice may exist
 * although its response was lost.
 */
async function make(btcpay: BtcpayApi, payment: PaymentRequest): Promise<BtcpayInvoice> {
  const [made] = await Promise.allSettled([btcpay.create(payment)])
  const [found] = await Promise.allSettled([btcpay.opened(payment.attemptId)])
  if (found.status === "fulfilled" && found.value) return found.value
  if (made.status === "fulfilled") return made.value
  throw made.reason
}

function matchesRequest(invoice: BtcpayInvoice, { attemptId, amount, coin }: PaymentRequest): BtcpayInvoice {
  if (invoice.attemptId !== attemptId || !sameAmount(invoice.amount, amount)) {
    throw new GatewayError(
      "unreadable",
      "Invalid BTCPay invoice: attempt or amount does not match the request",
    )
  }
  if (invoice.method !== (coin ? methodOf(coin) : null)) {
    throw new GatewayError("refused", "Cannot create BTCPay invoice: the attempt has one with another coin")
  }
  return invoice
}
