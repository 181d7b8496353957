import type { Instant } from "~/domain/calendar"
import type { ProtocolTools } from "../offshore/protocol.server"
import type { SandboxPayment } from "../payment"
import { choose, showPayPage } from "../payment-page-handler.server"
import type { Route } from "../router.server"
import {
  createInvoice,
  inStore,
  listInvoices,
  listPullPayments,
  markInvoice,
  refundInvoice,
  type SandboxBtcpaySettings,
  showInvoice,
  showInvoiceMethods,
  showPullPayment,
  showStoreMethods,
} from "./api.server"
import { btcpayReport } from "./wire.server"

/** Routes of the BTCPay-style gateway: the part of the Greenfield API that the shop uses, and the payment page. */
export function btcpayRoutes(tools: ProtocolTools, settings: SandboxBtcpaySettings): readonly Route[] {
  const { payments, reports, wakeCallbackSender, shops, now, origin } = tools
  const payUrl = (id: string) => `${origin()}/btcpay/i/${id}`
  const sendCallback = (payment: SandboxPayment) => {
    reports.add(btcpayReport(payment, settings.store, now()), now())
    wakeCallbackSender()
  }
  const api = { settings, payments, shops, now, payUrl, sendCallback }
  const pageContext = {
    ...tools,
    protocol: "btcpay",
    callbackMessage: (payment: SandboxPayment, at: Instant) => btcpayReport(payment, settings.store, at),
  }
  const payPath = /^\/btcpay\/i\/(?<id>\w{1,64})$/
  const home = "^/btcpay/api/v1/stores/(?<store>[^/]+)"
  const invoices = new RegExp(`${home}/invoices$`)
  // An invoice has a URL with its store and one without (docs/gateways.md, BTCPay).
  const oneInvoice = "^/btcpay/api/v1(/stores/(?<store>[^/]+))?/invoices/(?<id>[^/]+)"
  const invoice = new RegExp(`${oneInvoice}$`)
  const invoiceMethods = new RegExp(`${oneInvoice}/payment-methods$`)
  const status = new RegExp(`${oneInvoice}/status$`)
  const refund = new RegExp(`${oneInvoice}/refund$`)
  const pullPayments = new RegExp(`${home}/pull-payments$`)
  const pullPayment = /^\/btcpay\/pull-payments\/(?<id>[\w-]{1,64})$/
  const storeMethods = new RegExp(`${home}/payment-methods$`)
  return [
    { method: "POST", path: invoices, handle: inStore(api, createInvoice) },
    { method: "GET", path: invoices, handle: inStore(api, listInvoices) },
    { method: "GET", path: invoice, handle: inStore(api, showInvoice) },
    { method: "GET", path: invoiceMethods, handle: inStore(api, showInvoiceMethods) },
    { method: "POST", path: status, handle: inStore(api, markInvoice) },
    { method: "POST", path: refund, handle: inStore(api, refundInvoice) },
    { method: "GET", path: pullPayments, handle: inStore(api, listPullPayments) },
    { method: "GET", path: pullPayment, handle: (it) => showPullPayment(api, it) },
    { method: "GET", path: storeMethods, handle: inStore(api, showStoreMethods) },
    { method: "GET", path: payPath, handle: (it) => showPayPage(pageContext, it) },
    { method: "POST", path: payPath, handle: (it) => choose(pageContext, it) },
  ]
}
