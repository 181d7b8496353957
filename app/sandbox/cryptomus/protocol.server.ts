import type { ProtocolTools } from "../offshore/protocol.server"
import type { SandboxPayment } from "../payment"
import { choose, type PaymentPageContext, showPayPage } from "../payment-page-handler.server"
import type { Route } from "../router.server"
import {
  createInvoice,
  listServices,
  refundInvoice,
  resendCallback,
  type SandboxCryptomusSettings,
  sendTestCallback,
  showInvoice,
  signedBy,
} from "./api.server"
import { cryptomusReport, type InvoiceStatus } from "./wire.server"

/** Routes of the Cryptomus-style gateway: the API and the payment page. */
export function cryptomusRoutes(tools: ProtocolTools, settings: SandboxCryptomusSettings): readonly Route[] {
  const { payments, reports, wakeCallbackSender, shops, now, origin } = tools
  const payUrl = (id: string) => `${origin()}/cryptomus/pay/${id}`
  const sendCallback = (payment: SandboxPayment, testStatus?: InvoiceStatus) => {
    const message = cryptomusReport(payment, settings.paymentKey, { now: now(), testStatus })
    if (message) reports.add(message, now())
    wakeCallbackSender()
  }
  const api = { settings, payments, payUrl, shops, now, sendCallback }
  const pageContext: PaymentPageContext = {
    ...tools,
    protocol: "cryptomus",
    callbackMessage: (payment, at) => cryptomusReport(payment, settings.paymentKey, { now: at }),
  }
  const payPath = /^\/cryptomus\/pay\/(?<id>[\w-]{1,64})$/
  const payment = /^\/cryptomus\/v1\/payment$/
  const info = /^\/cryptomus\/v1\/payment\/info$/
  const refund = /^\/cryptomus\/v1\/payment\/refund$/
  const resend = /^\/cryptomus\/v1\/payment\/resend$/
  const trial = /^\/cryptomus\/v1\/test-webhook\/payment$/
  const services = /^\/cryptomus\/v1\/payment\/services$/
  return [
    {
      method: "POST",
      path: payment,
      handle: (it) => signedBy(settings, it, (params) => createInvoice(api, params)),
    },
    {
      method: "POST",
      path: info,
      handle: (it) => signedBy(settings, it, (params) => showInvoice(api, params)),
    },
    {
      method: "POST",
      path: refund,
      handle: (it) => signedBy(settings, it, (params) => refundInvoice(api, params)),
    },
    {
      method: "POST",
      path: resend,
      handle: (it) => signedBy(settings, it, (params) => resendCallback(api, params)),
    },
    {
      method: "POST",
      path: trial,
      handle: (it) => signedBy(settings, it, (params) => sendTestCallback(api, params)),
    },
    { method: "POST", path: services, handle: (it) => signedBy(settings, it, listServices) },
    { method: "GET", path: payPath, handle: (it) => showPayPage(pageContext, it) },
    { method: "POST", path: payPath, handle: (it) => choose(pageContext, it) },
  ]
}
