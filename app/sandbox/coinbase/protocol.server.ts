import type { ProtocolTools } from "../offshore/protocol.server"
import type { SandboxPayment } from "../payment"
import { choose, showPayPage } from "../payment-page-handler.server"
import type { Route } from "../router.server"
import type { SandboxCoinbaseSettings } from "./api.server"
import { createCheckout, deactivateCheckout, listCheckouts, refundCheckout, showCheckout } from "./api.server"
import { coinbaseReport } from "./wire.server"

/** Routes of the Coinbase-style gateway: the Checkouts API and the payment page. */
export function coinbaseRoutes(tools: ProtocolTools, settings: SandboxCoinbaseSettings): readonly Route[] {
  const { payments, reports, wakeCallbackSender, shops, now, origin } = tools
  const payUrl = (id: string) => `${origin()}/coinbase/pay/${id}`
  const sendCallback = (payment: SandboxPayment) => {
    const message = coinbaseReport(payment, payUrl(payment.id), now())
    if (message) reports.add(message, now())
    wakeCallbackSender()
  }
  const api = { settings, payments, payUrl, shops, now, sendCallback, host: () => new URL(origin()).host }
  const pageContext = {
    ...tools,
    protocol: "coinbase",
    callbackMessage: (payment: SandboxPayment, at: number) => coinbaseReport(payment, payUrl(payment.id), at),
  }
  const payPath = /^\/coinbase\/pay\/(?<id>\w{1,64})$/
  const checkouts = /^\/coinbase\/api\/v1\/checkouts\/?$/
  const checkout = /^\/coinbase\/api\/v1\/checkouts\/(?<id>[^/]+)$/
  const deactivate = /^\/coinbase\/api\/v1\/checkouts\/(?<id>[^/]+)\/deactivate$/
  const refund = /^\/coinbase\/api\/v1\/checkouts\/(?<id>[^/]+)\/refund$/
  return [
    { method: "POST", path: checkouts, handle: (it) => createCheckout(api, it) },
    { method: "GET", path: checkouts, handle: (it) => listCheckouts(api, it) },
    { method: "POST", path: refund, handle: (it) => refundCheckout(api, it) },
    { method: "GET", path: checkout, handle: (it) => showCheckout(api, it) },
    { method: "POST", path: deactivate, handle: (it) => deactivateCheckout(api, it) },
    { method: "GET", path: payPath, handle: (it) => showPayPage(pageContext, it) },
    { method: "POST", path: payPath, handle: (it) => choose(pageContext, it) },
  ]
}
