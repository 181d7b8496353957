/** A rule whose code is broken in a single line. Tests that cover the rule fail with it. */
export type Mutant = {
  /** The rule that the mutant breaks. */
  readonly rule: string
  readonly file: string
  /** Found in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Tests that cover the rule: they run first, then all that depend on the file. */
  readonly tests: readonly string[]
}

const billing = ["app/billing/embedded/sqlite.db.test.ts"]
/** Two instances on one PostgreSQL, whose transactions always contend for the same row. */
const instances = ["app/billing/embedded/concurrent-instances.db.test.ts"]

const money: readonly Mutant[] = [
  {
    rule: "a percentage is rounded half up to the cent",
    file: "app/domain/money/money.ts",
    find: "(rest * basisPoints + 5_000)",
    replace: "(rest * basisPoints)",
    tests: ["app/domain/money/money", "app/domain/catalogue/promotion"],
  },
  {
    rule: "amounts of two currencies are never compared",
    file: "app/domain/money/money.ts",
    find: "if (a.currency !== b.currency) throw",
    replace: "if (false) throw",
    tests: ["app/domain/money/money"],
  },
  {
    rule: "an amount with a fraction of a cent is invalid",
    file: "app/domain/money/money.ts",
    find: "(\\d{1,2})0*)?$/",
    replace: "(\\d{1,2})\\d*)?$/",
    tests: ["app/domain/money/money"],
  },
  {
    rule: "a discount is at most the price",
    file: "app/domain/catalogue/promotion.ts",
    find: "return min(off, amount)",
    replace: "return off",
    tests: ["app/domain/catalogue/promotion", "app/domain/catalogue/pricing"],
  },
  {
    rule: "the total is the subtotal less the discount",
    file: "app/domain/catalogue/pricing.ts",
    find: "total: minus(subtotal, off)",
    replace: "total: subtotal",
    tests: ["app/domain/catalogue/pricing"],
  },
  {
    rule: "an extra that was not chosen costs nothing",
    file: "app/domain/catalogue/pricing.ts",
    find: "if (!extra || !wanted) return []",
    replace: "if (!extra) return []",
    tests: ["app/domain/catalogue/pricing"],
  },
  {
    rule: "a promo code that names no product applies to nothing",
    file: "app/domain/catalogue/promotion.ts",
    find: "productIds.includes(productId)]",
    replace: "productIds.length === 0 || productIds.includes(productId)]",
    tests: ["app/domain/catalogue/promotion"],
  },
  {
    rule: "a promo code is valid on its last day and not after it",
    file: "app/domain/catalogue/promotion.ts",
    find: "today <= endsOn]",
    replace: "today < endsOn]",
    tests: ["app/domain/catalogue/promotion"],
  },
  {
    rule: "a promo code is invalid before its first day",
    file: "app/domain/catalogue/promotion.ts",
    find: "startsOn === null || today >= startsOn",
    replace: "startsOn === null || today <= startsOn",
    tests: ["app/domain/catalogue/promotion"],
  },
  {
    rule: "a promo code without remaining uses is rejected",
    file: "app/domain/catalogue/promotion.ts",
    find: "remainingUses === null || remainingUses > 0",
    replace: "remainingUses === null || remainingUses >= 0",
    tests: ["app/domain/catalogue/promotion"],
  },
  {
    rule: "a fixed discount applies in its own currency only",
    file: "app/domain/catalogue/promotion.ts",
    find: 'discount.kind !== "fixed" || discount.amount.currency === currency',
    replace: 'discount.kind !== "fixed" || discount.amount.currency !== ""',
    tests: ["app/domain/catalogue/promotion"],
  },
  {
    rule: "the last use of a promo code is redeemed once",
    file: "app/billing/embedded/catalogue/promotions.server.ts",
    find: 'row("uses", "<", row.ref("max_uses"))',
    replace: 'row("uses", "<=", row.ref("max_uses"))',
    tests: billing,
  },
]

const settlement: readonly Mutant[] = [
  {
    rule: "a payment update in another currency changes nothing",
    file: "app/domain/orders/settlement.ts",
    find: "if (named.some((it) => it.currency !== currency)) return",
    replace: "if (false) return",
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "an order held as suspicious takes no money",
    file: "app/domain/orders/settlement.ts",
    find: 'if (status === "fraud") return false',
    replace: 'if (status === "fraud") return true',
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "late money pays an order until the grace period ends",
    file: "app/domain/orders/settlement.ts",
    find: "at <= deadline + LATE_PAYMENT_GRACE",
    replace: "at <= deadline",
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "an overpayment becomes account credit",
    file: "app/domain/orders/settlement.ts",
    find: "return Math.max(0, before + moved - total.minor) - Math.max(0, before - total.minor)",
    replace: "return 0",
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "a refund without a payment gives back no more than what is left",
    file: "app/billing/embedded/payments/order-refunds.server.ts",
    find: "refund.amount.minor > mostIn(left, refund)",
    replace: "false",
    tests: ["app/billing/embedded/sqlite"],
  },
  {
    rule: "what the operator has received is in the ledger when they mark an order as paid",
    file: "app/billing/embedded/fulfilment/order-transitions.server.ts",
    find: "await insertOutsidePayment(ctx, id, at)",
    replace: "return",
    tests: ["app/billing/embedded/admin/accounting-entries"],
  },
  {
    rule: "what was refunded as account credit is taken back last",
    file: "app/domain/orders/settlement.ts",
    find: "Math.max(0, amount - first - kept)",
    replace: "amount - first",
    tests: ["app/domain/orders/settlement-refunds"],
  },
  {
    rule: "a refund as account credit counts against what is left of the sale",
    file: "app/billing/embedded/ledger/net-of-refunds.server.ts",
    find: "received - credited + entry - outside",
    replace: "received - credited + entry",
    tests: ["app/billing/embedded/services/service-purchases", "app/billing/embedded/sqlite"],
  },
  {
    rule: "a refund takes at most the credit that the payment created",
    file: "app/domain/orders/settlement.ts",
    find: "return -takenBack(invoice, -moved)",
    replace: "return moved",
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "less than the tolerance allows leaves an order partly paid",
    file: "app/domain/orders/settlement.ts",
    find: "return covered >= total.minor - Math.floor(",
    replace: "return covered >= Math.floor(",
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "an invoice that is paid is not paid again",
    file: "app/domain/orders/settlement.ts",
    find: "if (invoice.paid) return",
    replace: "if (false) return",
    tests: ["app/domain/orders/settlement"],
  },
  {
    rule: "a repeated event is applied once",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: 'if (!(await recordEvent(ctx, attemptUpdate, status))) return { kind: "duplicate", orderId }',
    replace: "await recordEvent(ctx, attemptUpdate, status)",
    tests: billing,
  },
  {
    rule: "a payment update applies to attempts of its own gateway only",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: '.where("payment_attempts.id", "=", id)\n      .where("payment_attempts.gateway", "=", gateway)',
    replace: '.where("payment_attempts.id", "=", id)',
    tests: billing,
  },
  {
    rule: "a concurrently changed invoice is read again (optimistic locking)",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice ",
    replace: "if (false) throw new WriteConflictError(`Invoice ",
    tests: instances,
  },
  {
    rule: "credit is counted at the instant it is spent",
    file: "app/billing/embedded/ledger/customer-credit.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Credit of invoice ",
    replace: "if (false) throw new WriteConflictError(`Credit of invoice ",
    tests: instances,
  },
  {
    rule: "an order without an amount due uses no account credit",
    file: "app/billing/embedded/fulfilment/order-transitions.server.ts",
    find: "if (left !== 0) return []",
    replace: "if (left > 100) return []",
    tests: billing,
  },
  {
    rule: "a cancelled order releases its promo code",
    file: "app/billing/embedded/fulfilment/order-transitions.server.ts",
    find: "if (row?.promo_key) await releasePromotion(ctx, row.promo_key, orderId)",
    replace: "",
    tests: billing,
  },
  {
    rule: "a cancelled order releases its account credit",
    file: "app/billing/embedded/fulfilment/order-transitions.server.ts",
    find: "const minor = await returnAccountCredit(ctx, invoice, { at })",
    replace: "const minor = invoice.total * 0",
    tests: billing,
  },
  {
    rule: "an expired order can still be paid",
    file: "app/domain/orders/order-status.ts",
    find: 'expired: { paid: "paid" }',
    replace: "expired: {}",
    tests: ["app/domain/orders/order-status", "app/domain/orders/settlement"],
  },
]

const ownership: readonly Mutant[] = [
  {
    rule: "an order is found through the API by its own customer alone",
    file: "app/billing-api/handlers/ownership.ts",
    find: 'if (order?.customerId !== ownerOf(api, named)) throw notFound("Order")\n  return order',
    replace: "ownerOf(api, named)\n  return order as Order",
    tests: ["app/billing-api"],
  },
  {
    rule: "a service is found through the API by its own customer alone",
    file: "app/billing-api/handlers/ownership.ts",
    find: "if (service?.customerId !== owner)",
    replace: "if (!service || owner === null)",
    tests: ["app/billing-api"],
  },
  {
    rule: "an API token is valid for its own customer only",
    file: "app/billing-api/handlers/ownership.ts",
    find: "if (named === undefined || named === customerId) return customerId",
    replace: "if (named !== null) return named ?? customerId",
    tests: ["app/billing-api"],
  },
  {
    rule: "an API token expires",
    file: "app/security/api-tokens.server.ts",
    find: "\n        .setExpirationTime(Math.floor(at / SECOND) + LASTS)",
    replace: "",
    tests: ["app/security/api-tokens"],
  },
  {
    rule: "an API token without an expiry is rejected",
    file: "app/security/api-tokens.server.ts",
    find: 'requiredClaims: ["sub", "exp"]',
    replace: 'requiredClaims: ["sub"]',
    tests: ["app/security/api-tokens"],
  },
  {
    rule: "a service of an unpaid order is not accessible",
    file: "app/flows/services/accessible-services.server.ts",
    find: "return order && paidStatuses.includes(order.status) ? service : null",
    replace: "return order ? service : null",
    tests: ["app/flows/services/accessible-services"],
  },
  {
    rule: "a reseller cannot spend more credits than the balance",
    file: "app/billing/embedded/reseller-credits/credit-ledger.server.ts",
    find: '.$if(!mayOwe, (update) => update.where("balance", ">=", -by))',
    replace: "",
    tests: ["app/billing/embedded/reseller-credits"],
  },
  {
    rule: "one cause moves reseller credits once",
    file: "app/billing/embedded/reseller-credits/credit-ledger.server.ts",
    find: "return noted !== undefined",
    replace: "return true",
    tests: ["app/billing/embedded/reseller-credits"],
  },
]

const sessions: readonly Mutant[] = [
  {
    rule: "a change of e-mail is confirmed by its own code alone",
    file: "app/billing/embedded/email-changes/email-changes.server.ts",
    find: "if (change?.id !== id) return null",
    replace: "if (!change) return null",
    tests: ["app/billing/embedded/email-changes/email-changes"],
  },
  {
    rule: "a change of e-mail that is undone takes the later ones with it",
    file: "app/billing/embedded/email-changes/email-changes.server.ts",
    find: "  await endLater(tx, change, at)\n",
    replace: "",
    tests: ["app/billing/embedded/email-changes/email-changes"],
  },
  {
    rule: "a changed e-mail ends the sessions from before",
    file: "app/billing/embedded/email-changes/email-changes.server.ts",
    find: "email_proven_at: at, ...ended }",
    replace: "email_proven_at: at }",
    tests: ["app/billing/embedded/email-changes/email-changes"],
  },
  {
    rule: "a change of e-mail asks for the account's password",
    file: "app/flows/customers/request-email-change.server.ts",
    find: 'return "password"',
    replace: 'return "nothing"',
    tests: ["app/routes/account/email-change"],
  },
  {
    rule: "an encrypted cookie has one valid encoding",
    file: "app/security/cookie-encryption.server.ts",
    find: ' || bytes.toString("base64url") !== sealed',
    replace: "",
    tests: ["app/security/cookie-encryption"],
  },
  {
    rule: "a session older than 30 days is empty",
    file: "app/context/session-cookie.server.ts",
    find: "return now - since > SESSION_SECONDS * SECOND",
    replace: "return now - since > 2 * SESSION_SECONDS * SECOND",
    tests: ["app/context/session"],
  },
  {
    rule: "a sign-in link expires",
    file: "app/security/signed-link.server.ts",
    find: 'return now < Number(body.expires) * SECOND ? "valid" : "expired"',
    replace: 'return "valid"',
    tests: ["app/security/signed-link"],
  },
  {
    rule: "a sign-in link's service is signed too",
    file: "app/security/signed-link.server.ts",
    find: 'expires, serviceId ?? ""])',
    replace: 'expires, ""])',
    tests: ["app/security/signed-link"],
  },
  {
    rule: "a cross-origin form is rejected",
    file: "app/server/same-origin.server.ts",
    find: "return URL.parse(origin)?.host === headers.host",
    replace: "return true",
    tests: ["app/server/same-origin"],
  },
  {
    rule: "a form from the shop's host without TLS is rejected",
    file: "app/server/same-origin.server.ts",
    find: 'if (own.protocol === "https:" && headers.host === own.host) return false',
    replace: "",
    tests: ["app/server/same-origin"],
  },
]

/** Rules that had no test until they were broken by hand. */
const brokenByHand: readonly Mutant[] = [
  {
    rule: "the session of a shop with TLS is sent over TLS alone",
    file: "app/middleware/customers/session.server.ts",
    find: 'secure: shop.publicUrl.startsWith("https:"),',
    replace: "secure: false,",
    tests: ["app/middleware/customers/session.db"],
  },
  {
    rule: "a session that browsers would drop is an error",
    file: "app/context/session-cookie.server.ts",
    find: "if (sealed.length > MAX_COOKIE_BYTES)",
    replace: "if (false)",
    tests: ["app/context/session-cookie"],
  },
  {
    rule: "a page has no other base address",
    file: "app/server/content-security-policy.server.ts",
    find: `    "base-uri 'none'",\n`,
    replace: "",
    tests: ["app/server/request-listener"],
  },
  {
    rule: "a session by an unsigned link does not change the email",
    file: "app/flows/customers/request-email-change.server.ts",
    find: ' && proof.how !== "trusted-link"',
    replace: "",
    tests: ["app/routes/account/email-change"],
  },
  {
    rule: "a change of email takes no address from who has paid a part of an order",
    file: "app/billing/embedded/email-changes/email-changes.server.ts",
    find: '    .unionAll(db.selectFrom("payments").select("client_id").where("client_id", "=", holder.id))\n',
    replace: "",
    tests: ["app/billing/embedded/email-changes/email-changes"],
  },
  {
    rule: "one client gets a few sign-in messages to an email a day",
    file: "app/security/rate-limits.server.ts",
    find: 'limiter("signInMailsOfEmailDaily", A_DAY)',
    replace: 'limiter("signInMailsOfEmailDaily")',
    tests: ["app/security/rate-limits.db"],
  },
  {
    rule: "a part payment holds the suspension",
    file: "app/billing/embedded/payments/payments-in-flight.server.ts",
    find: '["processing", "partially-paid"]',
    replace: '["processing"]',
    tests: ["app/flows/jobs/dunning"],
  },
  {
    rule: "a renewal that is dearer than its page has shown is not ordered",
    file: "app/flows/services/renew-services.server.ts",
    find: "amount.minor > (renewed[at]?.shown ?? amount.minor)",
    replace: "false",
    tests: ["app/flows/services/renew-services"],
  },
  {
    rule: "a gateway that is not offered opens no payment",
    file: "app/flows/payments/change-gateway.server.ts",
    find: "if (!isChoice) return",
    replace: "if (false) return",
    tests: ["app/flows/payments/change-gateway"],
  },
]

const callbacks: readonly Mutant[] = [
  {
    rule: "an old callback is refused",
    file: "app/gateways/webhook.server.ts",
    find: "if (Math.abs(age) > TOLERANCE_S) throw",
    replace: "if (age < -TOLERANCE_S) throw",
    tests: ["app/gateways/offshore"],
  },
  {
    rule: "an old callback is refused, by Coinbase's tests too",
    file: "app/gateways/webhook.server.ts",
    find: "if (Math.abs(age) > TOLERANCE_S) throw",
    replace: "if (age < -TOLERANCE_S) throw",
    tests: ["app/gateways/coinbase"],
  },
  {
    rule: "a callback carries its signature",
    file: "app/gateways/webhook.server.ts",
    find: "if (!given.map((it) => isOneOf(it, expected)).includes(true)) {",
    replace: "if (expected.length === 0) {",
    tests: ["app/gateways/offshore"],
  },
  {
    rule: "a prefix of a signature is rejected",
    file: "app/security/signature.server.ts",
    find: "return a.length === b.length && timingSafeEqual(a, b)",
    replace: "return b.subarray(0, a.length).equals(a)",
    tests: ["app/gateways/coinbase"],
  },
  {
    rule: "a signature with the right length and other bytes is rejected",
    file: "app/security/signature.server.ts",
    find: "return a.length === b.length && timingSafeEqual(a, b)",
    replace: "return a.length === b.length",
    tests: ["app/gateways/offshore"],
  },
  {
    rule: "a callback of Cryptomus is signed with the payment key",
    file: "app/gateways/cryptomus/signature.server.ts",
    find: '.update(key).digest("hex")',
    replace: '.digest("hex")',
    tests: ["app/gateways/cryptomus"],
  },
  {
    rule: "a gateway's response about another attempt is ignored",
    file: "app/flows/payments/receive-callback.server.ts",
    find: "paymentUpdate.attemptId === update.attemptId",
    replace: "paymentUpdate.attemptId !== null",
    tests: ["app/flows/payments/receive-callback"],
  },
]

const jobs: readonly Mutant[] = [
  {
    rule: "two instances never claim one job",
    file: "app/billing/embedded/jobs/outbox.server.ts",
    find: ".where(isDue(now))\n    .where(isFree(now))\n    .returning(",
    replace: ".returning(",
    tests: instances,
  },
  {
    rule: "enqueueing a job is idempotent",
    file: "app/billing/embedded/jobs/outbox.server.ts",
    find: '.onConflict((conflict) => conflict.columns(["topic", "subject"]).doNothing())',
    replace: "",
    tests: ["app/billing/embedded/jobs/outbox"],
  },
  {
    rule: "a transaction of SQLite holds the lock from its beginning",
    file: "app/billing/embedded/db/engines/sqlite.server.ts",
    find: 'return sql === "begin" ? "begin immediate" : sql',
    replace: "return sql",
    tests: ["app/billing/embedded/db/engines/sqlite"],
  },
  {
    rule: "a concurrently changed order is read again (optimistic locking)",
    file: "app/billing/embedded/fulfilment/order-transitions.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Order ",
    replace: "if (false) throw new WriteConflictError(`Order ",
    tests: instances,
  },
]

const refunds: readonly Mutant[] = [
  {
    rule: "the most that was reported as refunded counts, whatever comes later",
    file: "app/domain/payments/attempt-balance.ts",
    find: "refunded: Math.max(refunded, report.refunded.minor)",
    replace: "refunded: report.refunded.minor",
    tests: ["app/domain/orders/settlement-refunds", "app/domain/orders/settlement"],
  },
  {
    rule: "no more is refunded than has come",
    file: "app/domain/payments/attempt-balance.ts",
    find: "Math.max(0, gross - refunded)",
    replace: "gross - refunded",
    tests: ["app/domain/orders/settlement-refunds", "app/domain/orders/settlement"],
  },
  {
    rule: "a payment whose end the provider has named takes no money after it",
    file: "app/domain/payments/payment.ts",
    find: "(endsAt !== null && now >= endsAt)",
    replace: "(endsAt !== null && now >= 2 * endsAt)",
    tests: ["app/domain/payments/payment"],
  },
  {
    rule: "a signed report in another currency is kept for the operator",
    file: "app/flows/payments/record-payment-update.server.ts",
    find: 'await recordUnapplied(services, { gateway, reason: "currency-mismatch", ...callbackMessage(update) })',
    replace: "",
    tests: ["app/flows/payments/receive-callback"],
  },
  {
    rule: "a signed report about an unknown attempt is kept for the operator",
    file: "app/flows/payments/record-payment-update.server.ts",
    find: 'await recordUnapplied(services, { gateway, reason: "unknown-attempt", ...callbackMessage(update) })',
    replace: "",
    tests: ["app/flows/payments/receive-callback"],
  },
  {
    rule: "an order has a limited number of payment attempts",
    file: "app/billing/embedded/payments/payment-attempts.server.ts",
    find: "if (before.length >= MAX_ATTEMPTS)",
    replace: "if (before.length < 0)",
    tests: billing,
  },
  {
    rule: "money on its way keeps an order from being cancelled",
    file: "app/flows/payments/cancel-order.server.ts",
    find: "if (await hasPaymentInProgress(services, orderId)) return",
    replace: "if (orderId === null) return",
    tests: ["app/flows/payments", "app/flows/checkout"],
  },
]

const heldOrders: readonly Mutant[] = [
  {
    rule: "an order that is held uses no account credit",
    file: "app/billing/embedded/purchases/insert-order.server.ts",
    find: "if (request.holdReason !== null) {",
    replace: "if (request.total === null) {",
    tests: billing,
  },
  {
    rule: "an order that is held is opened no payment",
    file: "app/billing/embedded/payments/payment-attempts.server.ts",
    find: "payableStatuses.includes(row.order_status)",
    replace: 'row.order_status !== "paid"',
    tests: billing,
  },
  {
    rule: "a held order goes on at the price at which it was ordered alone",
    file: "app/flows/checkout/held-order.server.ts",
    find: "requoted?.quote.total.minor === held.total.minor &&",
    replace: "requoted &&",
    tests: ["app/flows/checkout/held-order"],
  },
  {
    rule: "the buyer of a held order agrees to the total that was shown",
    file: "app/flows/checkout/held-order.server.ts",
    find: "if (requoted.quote.total.minor !== agreedTotal)",
    replace: "if (agreedTotal === undefined)",
    tests: ["app/flows/checkout/held-order"],
  },
]

const limits: readonly Mutant[] = [
  {
    rule: "unpaid orders of one IPv6 network (/64) are counted together",
    file: "app/http/ip-address.server.ts",
    find: "firstOf(address, 64)",
    replace: "firstOf(address, 128)",
    tests: ["app/billing/embedded/fraud", ...billing],
  },
  {
    rule: "tries from one IPv6 network (/64) are counted together",
    file: "app/http/ip-address.server.ts",
    find: "firstOf(address, 64)",
    replace: "firstOf(address, 128)",
    tests: ["app/http/ip-address", "app/security/rate-limits"],
  },
  {
    rule: "a private address of an untrusted proxy is not rate-limited",
    file: "app/http/ip-address.server.ts",
    find: "return place?.isOwn ? place.network : null",
    replace: "return place ? place.network : null",
    tests: ["app/security/rate-limits"],
  },
  {
    rule: "only an authenticated customer is exempt from the unpaid-order limit",
    file: "app/billing/embedded/fraud/check-fraud.server.ts",
    find: "if (!customer?.authenticatedAccount) return false",
    replace: "if (!customer) return false",
    tests: billing,
  },
]

const promoCodes: readonly Mutant[] = [
  {
    rule: "a customer orders with a promo code as often as one person may",
    file: "app/billing/embedded/catalogue/promotions.server.ts",
    find: 'throw new PromotionRefusedError("used-by-person", key)',
    replace: "return",
    tests: ["app/billing/embedded/catalogue/promotion-limits"],
  },
  {
    rule: "no order is placed with a promo code that is switched off",
    file: "app/billing/embedded/catalogue/promotions.server.ts",
    find: '.where("off_since", "is", null)',
    replace: "",
    tests: ["app/billing/embedded/catalogue/promotion-limits"],
  },
  {
    rule: "a promo code is the same however it is typed",
    file: "app/billing/embedded/catalogue/normalize-code.ts",
    find: "code.trim().toUpperCase()",
    replace: "code.trim()",
    tests: billing,
  },
  {
    rule: "an order that is paid late uses its promo code again",
    file: "app/billing/embedded/fulfilment/order-transitions.server.ts",
    find: "if (isLate(move) && promo_key)",
    replace: "if (isLate(move) && !promo_key)",
    tests: billing,
  },
  {
    rule: "a held order that is released uses its promo code",
    file: "app/billing/embedded/purchases/held-orders.server.ts",
    find: "if (row.promo_key !== null)\n",
    replace: "if (row.promo_key === undefined)\n",
    tests: billing,
  },
]

const oneTimeCodes: readonly Mutant[] = [
  {
    rule: "a one-time code is good for a single order",
    file: "app/billing/embedded/catalogue/promotions.server.ts",
    find: '.where("order_id", "is", null)',
    replace: "",
    tests: ["app/billing/embedded/catalogue/promotion-codes"],
  },
  {
    rule: "an order that comes to nothing gives its one-time code back",
    file: "app/billing/embedded/catalogue/promotions.server.ts",
    find: '.where("order_id", "=", orderId).execute()',
    replace: '.where("order_id", "=", "").execute()',
    tests: ["app/billing/embedded/catalogue/promotion-codes"],
  },
]

const catalogueVersions: readonly Mutant[] = [
  {
    rule: "who has seen an older version of products, rules of tax or brand does not change them",
    file: "app/billing/embedded/versions/version-table.server.ts",
    find: "if (seenVersion !== undefined && seenVersion !== latest + passed.length) return",
    replace: "if (false) return",
    tests: [
      "app/billing/embedded/catalogue/catalogue-versions",
      "app/billing/embedded/tax/tax-admin.db.test.ts",
    ],
  },
]

const accessScopes: readonly Mutant[] = [
  {
    rule: "a sign-up password covers what was ordered under it alone",
    file: "app/domain/customers/customer.ts",
    find: "orderedIn.passwordId === scope.passwordId",
    replace: "orderedIn.passwordId !== undefined",
    tests: ["app/domain/customers/customer"],
  },
  {
    rule: "a sign-up password lists its own services alone",
    file: "app/billing/embedded/services/services.server.ts",
    find: '.where("orders.password_id", "=", passwordId ?? null)',
    replace: "",
    tests: billing,
  },
  {
    rule: "a sign-up password never takes the place of one that has proven the account",
    file: "app/billing/embedded/customers/customers.server.ts",
    find: '.$if(reach === "sign-up", (update) => update.where(replaceable(passwordId)))',
    replace: "",
    tests: billing,
  },
  {
    rule: "a wrong password does not sign in",
    file: "app/billing/embedded/customers/customers.server.ts",
    find: "return client && verified ?",
    replace: "return client ?",
    tests: billing,
  },
  {
    rule: "a new password ends earlier sessions",
    file: "app/billing/embedded/customers/customers.server.ts",
    find: "password_id, ...sessionsEnded(reach, at) }",
    replace: "password_id }",
    tests: billing,
  },
  {
    rule: "an ended session is one of a visitor who has signed out",
    file: "app/middleware/customers/ended-session.server.ts",
    find: 'if (state === "ended") context.set(sessionContext, signedOut(context.get(sessionContext)))',
    replace: "",
    tests: ["app/middleware/customers/ended-session"],
  },
  {
    rule: "using a session does not renew its authentication",
    file: "app/context/session-cookie.server.ts",
    find: "if (proof !== null && !hasRunOut(proof.at, now)) return session",
    replace: "if (proof !== null) return session",
    tests: ["app/context/session"],
  },
  {
    rule: "account credit of an order is used by its own customer alone",
    file: "app/billing/embedded/ledger/customer-credit.server.ts",
    find: '\n    .where("client_id", "=", customerId)\n    .where("currency", "=", currency)',
    replace: '\n    .where("currency", "=", currency)',
    tests: billing,
  },
  {
    rule: "a return token carries our signature",
    file: "app/flows/payments/resume-order.server.ts",
    find: "signature)) return null",
    replace: "signature) && signature === attemptId) return null",
    tests: ["app/flows/payments/resume-order"],
  },
  {
    rule: "the key of an order opens it for its owner alone",
    file: "app/billing/embedded/purchases/place-once.server.ts",
    find: "placed.kind === kind && placed.customerId === customerId",
    replace: "placed.kind === kind && customerId !== null",
    tests: billing,
  },
  {
    rule: "the key of an order of one kind places none of another",
    file: "app/billing/embedded/purchases/place-once.server.ts",
    find: "placed.kind === kind && placed.customerId === customerId",
    replace: "placed.customerId === customerId",
    tests: billing,
  },
  {
    rule: "the key of an upsell opens it for its service alone",
    file: "app/billing/embedded/purchases/add-invoice.server.ts",
    find: "serviceId === request.serviceId",
    replace: "serviceId !== request.key",
    tests: billing,
  },
]

const longJobs: readonly Mutant[] = [
  {
    rule: "a job with a renewed lease is not claimed by another worker",
    file: "app/billing/embedded/jobs/outbox.server.ts",
    find: 'row("renewed_until", "<=", now)',
    replace: 'row("renewed_until", ">=", 0)',
    tests: billing,
  },
  {
    rule: "a job of next year is kept when the clock falls back",
    file: "app/billing/embedded/jobs/outbox.server.ts",
    find: 'row("due", "<=", row("put_off_at", "+", MAX_WAIT))',
    replace: 'row("due", ">", 0)',
    tests: billing,
  },
  {
    rule: "a worker completes the job that it has claimed alone",
    file: "app/billing/embedded/jobs/outbox.server.ts",
    find: '.set({ state: "done" })\n    .where("id", "=", id)\n    .where("due", "=", claimedUntil)',
    replace: '.set({ state: "done" })\n    .where("id", "=", id)',
    tests: billing,
  },
]

const concurrency: readonly Mutant[] = [
  {
    rule: "a singleton's lease is not taken from the instance that holds it",
    file: "app/billing/embedded/jobs/outbox.server.ts",
    find: 'row("leases.until", "<=", now)',
    replace: 'row("leases.until", ">", 0)',
    tests: instances,
  },
  {
    rule: "a payment is polled by one instance",
    file: "app/billing/embedded/payments/payment-attempts.server.ts",
    find: 'row("polled_at", "<", polledBefore)',
    replace: 'row("polled_at", ">", 0)',
    tests: instances,
  },
  {
    rule: "a return token is used once",
    file: "app/billing/embedded/payments/gateway-change.server.ts",
    find: '\n    .where("resumed_at", "is", null)',
    replace: "",
    tests: instances,
  },
  {
    rule: "a concurrently changed attempt is read again (optimistic locking)",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Attempt ",
    replace: "if (false) throw new WriteConflictError(`Attempt ",
    tests: instances,
  },
  {
    rule: "what an invoice has received is added to what was read",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: '\n    .where("received", "=", read.received)\n    .where("credited", "=", read.credited)',
    replace: '\n    .where("credited", "=", read.credited)',
    tests: instances,
  },
  {
    rule: "what has become account credit meanwhile is not paid back too",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: '\n    .where("received", "=", read.received)\n    .where("credited", "=", read.credited)\n',
    replace: '\n    .where("received", "=", read.received)\n',
    tests: instances,
  },
  {
    rule: "a payment belongs to the customer to whom its order has moved",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: '\n    .where("client_id", "=", read.client_id)',
    replace: "",
    tests: ["app/billing/embedded/email-changes/correct-email.db.test.ts"],
  },
  {
    rule: "account credit pays one of two orders",
    file: "app/billing/embedded/ledger/customer-credit.server.ts",
    find: "if (total < 0 || isOverspent) throw",
    replace: "if (isOverspent) throw",
    tests: instances,
  },
  {
    rule: "the credit of one order pays one of two orders under its cookie",
    file: "app/billing/embedded/ledger/customer-credit.server.ts",
    find: "if (total < 0 || isOverspent) throw",
    replace: "if (total < 0) throw",
    tests: instances,
  },
  {
    rule: "a held order is decided on once",
    file: "app/billing/embedded/purchases/held-orders.server.ts",
    find: '\n    .where("decision", row.decision === null ? "is" : "=", row.decision)',
    replace: "",
    tests: instances,
  },
]

const delivering = ["app/flows/webhooks/deliver-events.db.test.ts"]

const webhooks: readonly Mutant[] = [
  {
    rule: "the signature of an event covers its id",
    file: "app/webhooks/standard-webhook-sender.server.ts",
    find: "new Webhook(secret).sign(id, date, body)",
    replace: 'new Webhook(secret).sign("", date, body)',
    tests: delivering,
  },
  {
    rule: "410 pauses an endpoint",
    file: "app/billing/embedded/webhooks/deliveries.server.ts",
    find: "if (status === GONE) await",
    replace: "if (status === null) await",
    tests: delivering,
  },
  {
    rule: "the addresses of a receiver's name are checked when connecting",
    file: "app/http/public-client.server.ts",
    find: "addresses.every(({ address }) => isAddressAllowed(address, policy))",
    replace: "true",
    tests: ["app/http/public-client"],
  },
  {
    rule: "one bad address of a receiver's name refuses all",
    file: "app/http/public-client.server.ts",
    find: "addresses.every(({ address })",
    replace: "addresses.some(({ address })",
    tests: ["app/http/public-client"],
  },
  {
    rule: "an answer to another event does not end the pause that a receiver has asked for",
    file: "app/billing/embedded/webhooks/deliveries.server.ts",
    find: "then hold_until else",
    replace: "then null else",
    tests: delivering,
  },
]

const planChanges: readonly Mutant[] = [
  {
    rule: "the value of unused time is rounded down",
    file: "app/domain/services/plan-change.ts",
    find: "Number((BigInt(paid) * isLeft) / all)",
    replace: "Number((BigInt(paid) * isLeft + all - 1n) / all)",
    tests: ["app/domain/services/plan-change"],
  },
  {
    rule: "a plan is changed at once only every 24 hours, also by two forms",
    file: "app/billing/embedded/fulfilment/apply-plan-change.server.ts",
    find: " &&\n    changeableFrom(row.plan_changed_at, at) === null",
    replace: "",
    tests: ["app/flows/services/change-plan"],
  },
  {
    rule: "a change of plan that is paid late leaves a service that has that plan already",
    file: "app/billing/embedded/fulfilment/apply-plan-change.server.ts",
    find: "row.product_id === change.former_product_id &&",
    replace: "",
    tests: ["app/flows/services/change-plan"],
  },
  {
    rule: "the credit for unused time is never more than was paid for the service",
    file: "app/domain/services/plan-change.ts",
    find: "Math.min(value, paid)",
    replace: "value",
    tests: ["app/domain/services/plan-change"],
  },
  {
    rule: "a change to a cheaper plan waits for the end of the paid time",
    file: "app/billing/embedded/services/next-plan.server.ts",
    find: 'requeueJob(tx, { topic: "next-plan", subject: serviceId, at, due: Math.max(at, row.paid_until) })',
    replace: "takeNextPlan(tx, row, { next: { ...plan, startsAt: null }, at })",
    tests: ["app/flows/services/change-plan"],
  },
  {
    rule: "a change of plan with money in it is not cancelled by a refusal of external billing",
    file: "app/domain/orders/order-status.ts",
    find: "return total.minor === 0",
    replace: "return total.minor >= 0",
    tests: ["app/domain/orders/order-status"],
  },
]

const trials: readonly Mutant[] = [
  {
    rule: "a network has one free trial",
    file: "app/flows/checkout/start-trial.server.ts",
    find: 'network === null ? undefined : trialMark(signer, "network", network)',
    replace: "undefined",
    tests: ["app/flows/checkout/trial.db"],
  },
  {
    rule: "the customer of a free trial is reminded at four fifths of it",
    file: "app/domain/catalogue/trial.ts",
    find: "REMINDED_AFTER = 0.8",
    replace: "REMINDED_AFTER = 0.9",
    tests: ["app/domain/catalogue/trial.test.ts"],
  },
]

const whmcsInvoices: readonly Mutant[] = [
  {
    rule: "a payment is recorded in WHMCS only on an invoice that is unpaid there",
    file: "app/billing/external/whmcs/payments/pay-renewal.server.ts",
    find: 'invoice?.status === "unpaid" ? Math.min(missing, balanceOf(invoice)) : 0',
    replace: "invoice ? Math.min(missing, balanceOf(invoice)) : 0",
    tests: ["app/billing/external/whmcs/invoice-renewals"],
  },
  {
    rule: "a payment is recorded in WHMCS once by its id",
    file: "app/billing/external/whmcs/payments/pay-renewal.server.ts",
    find: "payUnpaid(whmcs, recording, minor - before)",
    replace: "payUnpaid(whmcs, recording, minor)",
    tests: ["app/billing/external/whmcs/invoice-renewals"],
  },
]

const accounting: readonly Mutant[] = [
  {
    rule: "a credit note is taken off the sums of tax",
    file: "app/domain/accounting/accounting.ts",
    find: 'document.kind === "credit-note" ? -1 : 1',
    replace: "1",
    tests: ["app/domain/accounting/accounting.test.ts"],
  },
  {
    rule: "a credit note for an invoice of an earlier quarter corrects the return of that one",
    file: "app/domain/accounting/one-stop-shop.ts",
    find: "quarterOf(suppliedOn)",
    replace: "quarterOf(document.issuedOn)",
    tests: ["app/domain/accounting/one-stop-shop.test.ts"],
  },
  {
    rule: "sales at home are not in the one-stop-shop return",
    file: "app/domain/accounting/one-stop-shop.ts",
    find: 'place.kind !== "taxed" || place.country === seller.country',
    replace: 'place.kind !== "taxed"',
    tests: ["app/domain/accounting/one-stop-shop.test.ts"],
  },
  {
    rule: "what became account credit is no money that an invoice has",
    file: "app/domain/accounting/document-check.ts",
    find: "const ledgers = accounts.received - accounts.credited",
    replace: "const ledgers = accounts.received",
    tests: ["app/domain/accounting/document-check.test.ts"],
  },
  {
    rule: "an order that an external billing has taxed keeps the tax of its invoice",
    file: "app/billing/embedded/mirror-store/external-orders.server.ts",
    find: "if (taxes && taxes.length > 0) await writeTaxes(tx, order, taxes)",
    replace: "",
    tests: ["app/billing/external/whmcs/mirror.db.test.ts"],
  },
]

const taxes: readonly Mutant[] = [
  {
    rule: "a rate of tax is one of the day of the sale",
    file: "app/domain/tax/tax.ts",
    find: "rates.filter((it) => it.country === country && isOn(it, day))",
    replace: "rates.filter((it) => it.country === country)",
    tests: ["app/domain/tax/tax.test.ts"],
  },
  {
    rule: "a registration for tax counts on its days alone",
    file: "app/domain/tax/tax.ts",
    find: "rules.registrations.filter((it) => isOn(it, day))",
    replace: "rules.registrations",
    tests: ["app/domain/tax/tax.test.ts"],
  },
  {
    rule: "the tax of lines adds up to the tax of their sum",
    file: "app/domain/tax/tax.ts",
    find: "order.slice(0, left)",
    replace: "order.slice(0, 0)",
    tests: ["app/domain/tax/tax.test.ts"],
  },
  {
    rule: "sales to exempt countries are not taxed",
    file: "app/domain/tax/tax.ts",
    find: "if (rules.exempt.includes(country)) return",
    replace: "if (false) return",
    tests: ["app/domain/tax/tax.test.ts"],
  },
  {
    rule: "the rate of a region is for who is there alone",
    file: "app/domain/tax/tax.ts",
    find: "it.region === place && it.category === wanted",
    replace: "it.category === wanted",
    tests: ["app/domain/tax/tax.test.ts"],
  },
  {
    rule: "a region counts in the buyer's own country alone",
    file: "app/domain/orders/order-tax.ts",
    find: "place.country === buyerCountry(buyer) ? buyer.region : null",
    replace: "buyer.region",
    tests: ["app/domain/orders/order-tax.test.ts"],
  },
  {
    rule: "tax is added to prices without it, and to no others",
    file: "app/domain/orders/prices-with-tax.ts",
    find: 'prices[it] === "exclusive"',
    replace: "true",
    tests: ["app/domain/orders/prices-with-tax.test.ts"],
  },
  {
    rule: "an order is quoted again at the prices of its own buyer's country",
    file: "app/flows/checkout/priced-for.server.ts",
    find: "ownPrices.get(list) ?? list",
    replace: "list",
    tests: ["app/flows/checkout/priced-for.db.test.ts"],
  },
  {
    rule: "only a number that a register has confirmed makes a business",
    file: "app/domain/tax/tax-number.ts",
    find: 'business?.check.result !== "valid"',
    replace: "business === undefined",
    tests: ["app/domain/tax/tax-number.test.ts"],
  },
  {
    rule: "a business is one in the country of its number alone",
    file: "app/domain/tax/tax-number.ts",
    find: "return countryOfTaxNumber(business.taxNumber) === country",
    replace: "return true",
    tests: ["app/domain/tax/tax-number.test.ts"],
  },
  {
    rule: "the price with tax stays that of the service of a business",
    file: "app/billing/embedded/services/renewal-terms.server.ts",
    find: "all + listed.minor : all",
    replace: "all + amount.minor : all",
    tests: ["app/routes/scriptless/business.db.test.ts"],
  },
  {
    rule: "whoever types the e-mail of somebody else does not change the business of their account",
    file: "app/billing/embedded/customers/businesses.server.ts",
    find: 'own.where("email_proven_at", "is", null).where(({ not, exists }) => not(exists(others)))',
    replace: "own",
    tests: ["app/routes/scriptless/business.db.test.ts"],
  },
]

const documents: readonly Mutant[] = [
  {
    rule: "numbers of documents have no gaps",
    file: "app/billing/embedded/documents/issue-documents.server.ts",
    find: 'row("document_numbers.last", "+", 1)',
    replace: 'row("document_numbers.last", "+", 2)',
    tests: ["app/billing/embedded/documents"],
  },
  {
    rule: "what became account credit has no invoice",
    file: "app/billing/embedded/documents/sold-lines.server.ts",
    find: "(await isLeft(ctx, id, orderedIn[kind])) ? { ...tax, lines: [] } : tax",
    replace: "tax",
    tests: ["app/flows/services/change-plan.db.test.ts"],
  },
  {
    rule: "an invoice bills no renewal that did not apply",
    file: "app/billing/embedded/documents/sold-lines.server.ts",
    find: "tax.lines.filter(({ position }) => !left.includes(position))",
    replace: "tax.lines",
    tests: ["app/billing/embedded/documents/partly-applied-sales.db.test.ts"],
  },
  {
    rule: "credit notes of a whole invoice have its tax",
    file: "app/domain/accounting/tax-document.ts",
    find: "taxUntil(line, to) - taxUntil(line, from)",
    replace: "taxUntil(line, gross)",
    tests: ["app/domain/accounting/tax-document.test.ts"],
  },
  {
    rule: "a buyer gets the documents of their own orders alone",
    file: "app/flows/services/issued-document.server.ts",
    find: "return order && document",
    replace: "return document",
    tests: ["app/routes/files/tax-document.db.test.ts"],
  },
  {
    rule: "the page of an order hands out no document of another",
    file: "app/flows/admin/orders/order-page.server.ts",
    find: "document?.orderId === order ? document : null",
    replace: "document",
    tests: ["app/routes/admin/orders/order-document.db.test.ts"],
  },
]

const brandTexts: readonly Mutant[] = [
  {
    rule: "no link that the console sets runs a script",
    file: "app/domain/shop/shop-sections.ts",
    find: "export const Web = z.url({ protocol: /^https?$/ })",
    replace: "export const Web = z.url()",
    tests: ["app/domain/shop/shop-sections"],
  },
  {
    rule: "an uploaded logo has no scripts",
    file: "app/domain/shop/shop-sections.ts",
    find: "!isActive(bytesOfLogo(data))",
    replace: "true",
    tests: ["app/domain/shop/shop-sections"],
  },
  {
    rule: "another version of the brand is shown immediately",
    file: "app/ssr/anonymous-page-cache.server.ts",
    find: "const { brandVersion } = services.shop",
    replace: "const brandVersion = 0",
    tests: ["app/ssr/anonymous-page-cache"],
  },
]

/** What operators of the console may do and see. */
const operators: readonly Mutant[] = [
  {
    rule: "operators: an amount in another currency than the limit needs a second operator",
    file: "app/domain/operators/approval.ts",
    find: "amount.currency !== limit.currency || amount.minor",
    replace: "amount.minor",
    tests: ["app/domain/operators/approval.test.ts"],
  },
  {
    rule: "operators: the limit itself needs no second operator",
    file: "app/domain/operators/approval.ts",
    find: "amount.minor > limit.minor",
    replace: "amount.minor >= limit.minor",
    tests: ["app/domain/operators/approval.test.ts"],
  },
  {
    rule: "operators: a request that was carried out is not confirmed again",
    file: "app/domain/operators/approval.ts",
    find: "if (result !== null) return false",
    replace: "",
    tests: ["app/domain/operators/approval.test.ts"],
  },
  {
    rule: "operators: a request that nobody has decided on in time is void",
    file: "app/domain/operators/approval.ts",
    find: "(decision === null && now < expiresAt)",
    replace: "decision === null",
    tests: ["app/domain/operators/approval.test.ts"],
  },
  {
    rule: "operators: no owner resets or disables the own account",
    file: "app/domain/operators/operator-account.ts",
    find: "if (isOwn) return false",
    replace: "",
    tests: ["app/domain/operators/operator-account.test.ts"],
  },
  {
    rule: "operators: a viewer sees no whole email",
    file: "app/domain/operators/operator.ts",
    find: 'return role === "viewer" ? maskedEmail(email) : email',
    replace: "return email",
    tests: ["app/domain/operators/operator.test.ts"],
  },
]

export const mutants: readonly Mutant[] = [
  ...money,
  ...settlement,
  ...ownership,
  ...sessions,
  ...callbacks,
  ...webhooks,
  ...jobs,
  ...refunds,
  ...heldOrders,
  ...limits,
  ...promoCodes,
  ...oneTimeCodes,
  ...catalogueVersions,
  ...documents,
  ...brandTexts,
  ...planChanges,
  ...trials,
  ...whmcsInvoices,
  ...accounting,
  ...taxes,
  ...operators,
  ...accessScopes,
  ...longJobs,
  ...concurrency,
  ...brokenByHand,
]
