import type { ProtocolTools } from "../offshore/protocol.server"
import type { SandboxPayment } from "../payment"
import { choose, type PaymentPageContext, showPayPage } from "../payment-page-handler.server"
import type { Route } from "../router.server"
import {
  type CryptomusAccount,
  createInvoice,
  listServices,
  resendNotice,
  sendTrial,
  showInvoice,
  signedBy,
} from "./api.server"
import { cryptomusReport } from "./wire.server"

/** All addresses of the Cryptomus-style gateway: its API and its pay page. */
export function cryptomusRoutes(tools: ProtocolTools, account: CryptomusAccount): readonly Route[] {
  const { payments, reports, wakeDeliverer, shops, now, origin } = tools
  const payUrl = (id: string) => `${origin()}/cryptomus/pay/${id}`
  const tell = (payment: SandboxPayment) => {
    reports.add(cryptomusReport(payment, account.paymentKey, now()), now())
    wakeDeliverer()
  }
  const api = { account, payments, payUrl, shops, now, tell }
  const desk: PaymentPageContext = {
    ...{ ...tools, protocol: "cryptomus" },
    reportOf: (payment, at) => cryptomusReport(payment, account.paymentKey, at),
  }
  const payPath = /^\/cryptomus\/pay\/(?<id>[\w-]{1,64})$/
  const payment = /^\/cryptomus\/v1\/payment$/
  const info = /^\/cryptomus\/v1\/payment\/info$/
  const resend = /^\/cryptomus\/v1\/payment\/resend$/
  const trial = /^\/cryptomus\/v1\/test-webhook\/payment$/
  const services = /^\/cryptomus\/v1\/payment\/services$/
  return [
    {
      method: "POST",
      path: payment,
      answer: (it) => signedBy(account, it, (said) => createInvoice(api, said)),
    },
    { method: "POST", path: info, answer: (it) => signedBy(account, it, (said) => showInvoice(api, said)) },
    {
      method: "POST",
      path: resend,
      answer: (it) => signedBy(account, it, (said) => resendNotice(api, said)),
    },
    { method: "POST", path: trial, answer: (it) => signedBy(account, it, (said) => sendTrial(api, said)) },
    { method: "POST", path: services, answer: (it) => signedBy(account, it, listServices) },
    { method: "GET", path: payPath, answer: (it) => showPayPage(desk, it) },
    { method: "POST", path: payPath, answer: (it) => choose(desk, it) },
  ]
}
