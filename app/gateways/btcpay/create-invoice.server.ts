import { sameAmount } from "~/domain/money"
import { GatewayError, type PaymentRequest } from "~/gateways/gateway"
import type { BtcpayApi } from "./api.server"
import type { BtcpayInvoice } from "./invoice"
import { methodOf } from "./methods"

type CreateInvoice = (payment: PaymentRequest) => Promise<BtcpayInvoice>

/**
 * Opens an invoice for an attempt, or finds the one that the attempt opened before. The provider knows no key for
 * repeats, so its books are asked first, and two requests of one attempt at a time are one.
 */
export function createInvoiceOnce(btcpay: BtcpayApi): CreateInvoice {
  const underWay = new Map<string, Promise<BtcpayInvoice>>()
  function begin(payment: PaymentRequest): Promise<BtcpayInvoice> {
    const opening = foundOrMade(btcpay, payment).finally(() => underWay.delete(payment.attemptId))
    underWay.set(payment.attemptId, opening)
    return opening
  }
  return async (payment) => matchesRequest(await (underWay.get(payment.attemptId) ?? begin(payment)), payment)
}

async function foundOrMade(btcpay: BtcpayApi, payment: PaymentRequest): Promise<BtcpayInvoice> {
  return (await btcpay.opened(payment.attemptId)) ?? make(btcpay, payment)
}

/**
 * What stands in the provider's books afterwards decides: another instance may have been faster, and an answer that
 * was lost on its way may have been a yes.
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
    throw new GatewayError("unreadable", "btcpay opened another payment than was asked for")
  }
  if (invoice.method !== (coin ? methodOf(coin) : null)) {
    throw new GatewayError("refused", "btcpay has this payment open with another coin")
  }
  return invoice
}
