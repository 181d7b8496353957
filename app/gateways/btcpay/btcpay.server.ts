import { type Gateway, GatewayError, type OnSitePayments } from "~/gateways/gateway"
import { gatewayOf, originsOf } from "~/gateways/gateway-form"
import { type BtcpayApi, type BtcpaySettings, btcpayApi } from "./api.server"
import { readBtcpayHint } from "./callback.server"
import { createInvoiceOnce } from "./create-invoice.server"
import { hasNoAddress, isClosed, sumsByItself, sumsOf, toPaymentUpdate } from "./invoice"
import { coinsIn, referencesIn, sumsIn, transferOf } from "./methods"
import { invoiceRefunds } from "./refund-invoice.server"
import { openBtcpayWebhook, signedTest } from "./webhook.server"

/**
 * Creates the gateway for the operator's BTCPay Server (Greenfield API). Throws when a setting is missing or malformed;
 * the message never contains the value.
 */
export function openBtcpay(settings: BtcpaySettings): Gateway {
  checkSettings(settings)
  const btcpay = btcpayApi(settings)
  const invoiceFor = createInvoiceOnce(btcpay)
  return gatewayOf({
    id: "btcpay",
    name: "the BTCPay server",
    origins: originsOf(settings.url),
    // Until the invoice expires.
    takesTopUps: true,
    async open(payment) {
      const { paymentId, url, expiresAt } = await invoiceFor(payment)
      return { paymentId, url, endsAt: expiresAt }
    },
    verify: (callback) => openBtcpayWebhook(callback, settings.webhookSecrets),
    read: (body) => readBtcpayHint(body, settings),
    test: () => signedTest(settings),
    async poll(paymentId) {
      const invoice = await btcpay.about(paymentId)
      const plain = sumsByItself(invoice)
      if (plain && hasNoAddress(invoice)) return toPaymentUpdate(invoice, plain)
      // A payment that needs no look at its methods counts without their addresses, too.
      const methods = await btcpay.methods(paymentId).catch((error: unknown) => {
        if (plain) return []
        throw error
      })
      const sums = plain ?? sumsOf(invoice, sumsIn(methods, invoice.amount.currency))
      return { ...toPaymentUpdate(invoice, sums), coinReferences: referencesIn(methods) }
    },
    async close(paymentId) {
      const known = await btcpay.about(paymentId)
      const isUntouched = known.status === "New" && (await btcpay.sums(known)).seen.minor === 0
      const invoice = isUntouched ? await marked(btcpay, paymentId) : known
      return isClosed(invoice, await btcpay.sums(invoice))
    },
    onSite: directPayments(btcpay),
    calls: null,
    refunds: invoiceRefunds(btcpay, originsOf(settings.url)),
  })
}

/** Marks an invoice invalid. On `refused` (paid or closed in the meantime), returns its current state. */
function marked(btcpay: BtcpayApi, paymentId: string) {
  return btcpay.invalidate(paymentId).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === "refused") return btcpay.about(paymentId)
    throw error
  })
}

function directPayments(btcpay: BtcpayApi): OnSitePayments {
  return {
    coins: async () => coinsIn(await btcpay.storeMethods()),
    async transfer({ paymentId }) {
      const invoice = await btcpay.about(paymentId)
      const isOpen = invoice.status === "New" || invoice.status === "Processing"
      return isOpen && invoice.method ? transferOf(invoice, await btcpay.methods(paymentId)) : null
    },
  }
}

/** Rejects a malformed key early: the runtime's error for an invalid header would quote the key. */
function checkSettings({ store, key, webhookSecrets }: BtcpaySettings) {
  if (store === "") throw new Error("BTCPAY_STORE is required")
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error("BTCPAY_KEY is missing or malformed")
  if (webhookSecrets.length === 0 || webhookSecrets.includes("")) {
    throw new Error("BTCPAY_WEBHOOK_SECRET is required to verify callbacks")
  }
}
