import { BROWSER_AGENT } from "../browser/page-actions"

const split = (text: string) => text.trim().split(/\s+/)

/** Field names of forms, API calls and callbacks, so that a request passes the first checks. */
export const names = split(`
  intent plan email gateway coin promoCode extraConnection proxyProtection shown draft total key existing password
  newPassword confirmPassword quantity serviceid mac notes line aff_id referer visitor event id uuid order_id status
  amount currency userid clientid orderid invoiceid pid paymentmethod configoptions customfields macAddress code ip
  country extraQuantity price serviceId`)

export const values = [
  "",
  "ana@example.test",
  "correct horse battery",
  ...split(`1 3 12 -1 0 1e99 NaN true yes no offshore coinbase BTC YEAR15 pay update apply-promo remove-promo restart
    recreate device notes edit abort 00:1A:79:12:34:56 paid __proto__ ../.. 2026-02-30 \0 EUR`),
]

/** Plausible values by field; values are separated by spaces. */
export const likely: Readonly<Record<string, string>> = {
  intent: "pay apply-promo update restart device upsell edit",
  plan: "1 3 12 99",
  email: "ana@example.test b@c.test",
  gateway: "offshore coinbase btcpay",
  promoCode: "YEAR15 NOPE",
  aff_id: "7 8",
  quantity: "0 1 2 12",
  total: "0 500 7900",
  password: "wrong x",
  key: "k1 k2",
  existing: "yes",
}

export const likelyHeaders = ["", "*/*", "text/html", "de", "en;q=0.1", BROWSER_AGENT, "gzip, br"]

export const callbacks = split("offshore coinbase btcpay cryptomusgateway none __proto__").map(
  (id) => `/checkout/api/payments/${id}/callback`,
)
export const proofs = split(
  "webhook-signature webhook-id btcpay-sig x-cc-webhook-signature sign authorization",
)

/** Calls of the billing API, and some that do not exist. */
export const calls = split(
  "auth authMiddleware getProducts order getGateway addInvoice checkFraud offshore coinbase getClientProducts constructor",
)
