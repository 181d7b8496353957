/** A single line of a rule, changed for the worse. Tests that hold the rule fail with it. */
export type Mutant = {
  /** What is broken, in the words of the rule. */
  readonly rule: string
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Where the rule is tested: these tests are run first, then all that depend on the file. */
  readonly tests: readonly string[]
}

const billing = ["app/billing/embedded/sqlite.db.test.ts"]
/** Two instances on one PostgreSQL, which always meet at the row they want. */
const instances = ["app/billing/embedded/concurrent-instances.db.test.ts"]

const money: readonly Mutant[] = [
  {
    rule: "a percentage is rounded half up to the cent",
    file: "app/domain/money.ts",
    find: "(rest * hundredthsOfPercent + 5_000)",
    replace: "(rest * hundredthsOfPercent)",
    tests: ["app/domain/money", "app/domain/promotion"],
  },
  {
    rule: "amounts of two currencies are never compared",
    file: "app/domain/money.ts",
    find: "if (a.currency !== b.currency) throw",
    replace: "if (false) throw",
    tests: ["app/domain/money"],
  },
  {
    rule: "a fraction of a cent is no amount",
    file: "app/domain/money.ts",
    find: "(\\d{1,2})0*)?$/",
    replace: "(\\d{1,2})\\d*)?$/",
    tests: ["app/domain/money"],
  },
  {
    rule: "a discount takes off no more than the price",
    file: "app/domain/promotion.ts",
    find: "return least(off, amount)",
    replace: "return off",
    tests: ["app/domain/promotion", "app/domain/pricing"],
  },
  {
    rule: "the total is the subtotal less the discount",
    file: "app/domain/pricing.ts",
    find: "total: minus(subtotal, off)",
    replace: "total: subtotal",
    tests: ["app/domain/pricing"],
  },
  {
    rule: "an extra that was not chosen costs nothing",
    file: "app/domain/pricing.ts",
    find: "if (!extra || !wanted) return []",
    replace: "if (!extra) return []",
    tests: ["app/domain/pricing"],
  },
  {
    rule: "a promo code that names no product applies to nothing",
    file: "app/domain/promotion.ts",
    find: "productIds.includes(productId)]",
    replace: "productIds.length === 0 || productIds.includes(productId)]",
    tests: ["app/domain/promotion"],
  },
  {
    rule: "a promo code holds on its last day and not after it",
    file: "app/domain/promotion.ts",
    find: "today <= endsOn]",
    replace: "today < endsOn]",
    tests: ["app/domain/promotion"],
  },
  {
    rule: "a promo code does not hold before its first day",
    file: "app/domain/promotion.ts",
    find: "startsOn === null || today >= startsOn",
    replace: "startsOn === null || today <= startsOn",
    tests: ["app/domain/promotion"],
  },
  {
    rule: "a promo code without uses left is refused",
    file: "app/domain/promotion.ts",
    find: "remainingUses === null || remainingUses > 0",
    replace: "remainingUses === null || remainingUses >= 0",
    tests: ["app/domain/promotion"],
  },
  {
    rule: "a fixed discount counts in its own currency alone",
    file: "app/domain/promotion.ts",
    find: 'discount.kind !== "fixed" || discount.amount.currency === currency',
    replace: 'discount.kind !== "fixed" || discount.amount.currency !== ""',
    tests: ["app/domain/promotion"],
  },
  {
    rule: "the last use of a promo code is given once",
    file: "app/billing/embedded/catalogue/promotions.server.ts",
    find: 'row("uses", "<", row.ref("max_uses"))',
    replace: 'row("uses", "<=", row.ref("max_uses"))',
    tests: billing,
  },
]

const settlement: readonly Mutant[] = [
  {
    rule: "news in another currency changes nothing",
    file: "app/domain/settlement.ts",
    find: "if (named.some((it) => it.currency !== currency)) return",
    replace: "if (false) return",
    tests: ["app/domain/settlement"],
  },
  {
    rule: "an order held as suspicious takes no money",
    file: "app/domain/settlement.ts",
    find: 'if (status === "fraud") return false',
    replace: 'if (status === "fraud") return true',
    tests: ["app/domain/settlement"],
  },
  {
    rule: "late money pays an order until the grace period ends",
    file: "app/domain/settlement.ts",
    find: "at <= deadline + LATE_PAYMENT_GRACE",
    replace: "at <= deadline",
    tests: ["app/domain/settlement"],
  },
  {
    rule: "what comes beyond the total is account credit",
    file: "app/domain/settlement.ts",
    find: "return Math.max(0, before + moved - total.minor) - Math.max(0, before - total.minor)",
    replace: "return 0",
    tests: ["app/domain/settlement"],
  },
  {
    rule: "a refund takes no more from the credit than it gave",
    file: "app/domain/settlement.ts",
    find: "return -Math.min(-moved, surplus.minor)",
    replace: "return moved",
    tests: ["app/domain/settlement"],
  },
  {
    rule: "less than the tolerance allows leaves an order partly paid",
    file: "app/domain/settlement.ts",
    find: "if (now >= invoice.total.minor - missing)",
    replace: "if (now >= missing)",
    tests: ["app/domain/settlement"],
  },
  {
    rule: "an invoice that is paid is not paid again",
    file: "app/domain/settlement.ts",
    find: "if (invoice.paid) return",
    replace: "if (false) return",
    tests: ["app/domain/settlement"],
  },
  {
    rule: "a repeated event is applied once",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: 'if (!(await noteEvent(books, word))) return { kind: "duplicate", orderId }',
    replace: "await noteEvent(books, word)",
    tests: billing,
  },
  {
    rule: "a payment of another gateway is not meant",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: '.where("gateway", "=", gateway)\n    .executeTakeFirst()',
    replace: ".executeTakeFirst()",
    tests: billing,
  },
  {
    rule: "an invoice changed meanwhile is read again",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice ",
    replace: "if (false) throw new WriteConflictError(`Invoice ",
    tests: instances,
  },
  {
    rule: "credit is counted at the instant it is spent",
    file: "app/billing/embedded/payments/customer-credit.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Credit of invoice ",
    replace: "if (false) throw new WriteConflictError(`Credit of invoice ",
    tests: instances,
  },
  {
    rule: "an order pays nothing when nothing of it is due",
    file: "app/billing/embedded/orders/order-transitions.server.ts",
    find: "if (left !== 0) return []",
    replace: "if (left > 100) return []",
    tests: billing,
  },
  {
    rule: "a cancelled order gives its promo code back",
    file: "app/billing/embedded/orders/order-transitions.server.ts",
    find: "if (row?.promo_key) await releasePromotion(books, row.promo_key)",
    replace: "",
    tests: billing,
  },
  {
    rule: "a cancelled order gives back the account credit it used",
    file: "app/billing/embedded/orders/order-transitions.server.ts",
    find: "const minor = await returnCredit(books, invoice, at)",
    replace: "const minor = invoice.total * 0",
    tests: billing,
  },
  {
    rule: "an expired order can still be paid",
    file: "app/domain/order-status.ts",
    find: 'expired: { paid: "paid" }',
    replace: "expired: {}",
    tests: ["app/domain/order-status", "app/domain/settlement"],
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
    rule: "a token speaks for its own customer alone",
    file: "app/billing-api/handlers/ownership.ts",
    find: "if (named === undefined || named === customerId) return customerId",
    replace: "if (named !== null) return named ?? customerId",
    tests: ["app/billing-api"],
  },
  {
    rule: "an API token ends",
    file: "app/security/api-tokens.server.ts",
    find: "\n        .setExpirationTime(Math.floor(at / SECOND) + LASTS)",
    replace: "",
    tests: ["app/security/api-tokens"],
  },
  {
    rule: "an API token without an end is refused",
    file: "app/security/api-tokens.server.ts",
    find: 'requiredClaims: ["sub", "exp"]',
    replace: 'requiredClaims: ["sub"]',
    tests: ["app/security/api-tokens"],
  },
  {
    rule: "a service that was only ordered is nobody's yet",
    file: "app/flows/services/accessible-services.server.ts",
    find: "return order && paidStatuses.includes(order.status) ? service : null",
    replace: "return order ? service : null",
    tests: ["app/flows/services/accessible-services"],
  },
  {
    rule: "a reseller spends no credits that are not there",
    file: "app/billing/embedded/reseller-credits/credit-ledger.server.ts",
    find: '.$if(!mayOwe, (update) => update.where("balance", ">=", -by))',
    replace: "",
    tests: ["app/billing/embedded/reseller-credits"],
  },
  {
    rule: "one cause moves reseller credits once",
    file: "app/billing/embedded/reseller-credits/credit-ledger.server.ts",
    find: "if (!noted) return false",
    replace: "",
    tests: ["app/billing/embedded/reseller-credits"],
  },
]

const sessions: readonly Mutant[] = [
  {
    rule: "a cookie has one spelling",
    file: "app/security/cookie-encryption.server.ts",
    find: ' || bytes.toString("base64url") !== sealed',
    replace: "",
    tests: ["app/context/session"],
  },
  {
    rule: "a session older than 30 days is empty",
    file: "app/context/session-cookie.server.ts",
    find: "return now - since > SESSION_SECONDS * SECOND",
    replace: "return now - since > 2 * SESSION_SECONDS * SECOND",
    tests: ["app/context/session"],
  },
  {
    rule: "a sign-in link ends",
    file: "app/security/signed-link.server.ts",
    find: 'return now < Number(said.expires) * SECOND ? "good" : "too-old"',
    replace: 'return "good"',
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
    rule: "a form of another site is refused",
    file: "app/server/same-origin.server.ts",
    find: "return URL.canParse(origin) && new URL(origin).host === headers.host",
    replace: "return true",
    tests: ["app/server/same-origin"],
  },
]

const callbacks: readonly Mutant[] = [
  {
    rule: "an old callback of the offshore gateway is refused",
    file: "app/gateways/offshore/webhook.server.ts",
    find: "if (Math.abs(age) > TOLERANCE_S) throw",
    replace: "if (age < -TOLERANCE_S) throw",
    tests: ["app/gateways/offshore"],
  },
  {
    rule: "a callback of the offshore gateway carries its signature",
    file: "app/gateways/offshore/webhook.server.ts",
    find: "if (!genuine) throw",
    replace: "if (false) throw",
    tests: ["app/gateways/offshore"],
  },
  {
    rule: "an old callback of Coinbase is refused",
    file: "app/gateways/coinbase/webhook.server.ts",
    find: "if (Math.abs(age) > TOLERANCE_S) throw",
    replace: "if (age < -TOLERANCE_S) throw",
    tests: ["app/gateways/coinbase"],
  },
  {
    rule: "the beginning of a signature of Coinbase is no signature",
    file: "app/gateways/coinbase/webhook.server.ts",
    find: "return a.length === b.length && timingSafeEqual(a, b)",
    replace: "return a.equals(b.subarray(0, a.length))",
    tests: ["app/gateways/coinbase"],
  },
  {
    rule: "a callback of Cryptomus carries its signature",
    file: "app/gateways/cryptomus/signature.server.ts",
    find: "return given.length === right.length && timingSafeEqual(given, right)",
    replace: "return given.length === right.length",
    tests: ["app/gateways/cryptomus"],
  },
  {
    rule: "a gateway that answers about another attempt is not believed",
    file: "app/flows/payments/receive-callback.server.ts",
    find: "news.attemptId === said.attemptId",
    replace: "news.attemptId !== null",
    tests: ["app/flows/payments/receive-callback"],
  },
]

const jobs: readonly Mutant[] = [
  {
    rule: "two instances never claim one job",
    file: "app/billing/embedded/outbox.server.ts",
    find: ".where(isDue(now))\n    .where(isFree(now))\n    .returning(",
    replace: ".returning(",
    tests: instances,
  },
  {
    rule: "a job is written once, whatever happens again",
    file: "app/billing/embedded/outbox.server.ts",
    find: '.onConflict((conflict) => conflict.columns(["topic", "subject"]).doNothing())',
    replace: "",
    tests: billing,
  },
  {
    rule: "a transaction of SQLite holds the lock from its beginning",
    file: "app/billing/embedded/db/engines/sqlite.server.ts",
    find: 'return sql === "begin" ? "begin immediate" : sql',
    replace: "return sql",
    tests: ["app/billing/embedded/db/engines/sqlite"],
  },
  {
    rule: "an order that changed meanwhile is read again",
    file: "app/billing/embedded/orders/order-transitions.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Order ",
    replace: "if (false) throw new WriteConflictError(`Order ",
    tests: instances,
  },
]

const concurrency: readonly Mutant[] = [
  {
    rule: "a singleton's lease is not taken from the instance that holds it",
    file: "app/billing/embedded/outbox.server.ts",
    find: 'row("leases.until", "<=", now)',
    replace: 'row("leases.until", ">", 0)',
    tests: instances,
  },
  {
    rule: "a payment is asked about by one instance",
    file: "app/billing/embedded/payments/payment-attempts.server.ts",
    find: 'row("asked_at", "<", askedBefore)',
    replace: 'row("asked_at", ">", 0)',
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
    rule: "an attempt changed meanwhile is read again",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: "if (numUpdatedRows === 0n) throw new WriteConflictError(`Attempt ",
    replace: "if (false) throw new WriteConflictError(`Attempt ",
    tests: instances,
  },
  {
    rule: "what an invoice has received is added to what was read",
    file: "app/billing/embedded/payments/settlement.server.ts",
    find: '\n    .where("received", "=", read.received)\n    .executeTakeFirst()\n  if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice',
    replace: "\n    .executeTakeFirst()\n  if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice",
    tests: instances,
  },
  {
    rule: "account credit pays one of two orders",
    file: "app/billing/embedded/payments/customer-credit.server.ts",
    find: "if (total < 0 || isOverspent) throw",
    replace: "if (isOverspent) throw",
    tests: instances,
  },
  {
    rule: "the credit of one order pays one of two orders under its cookie",
    file: "app/billing/embedded/payments/customer-credit.server.ts",
    find: "if (total < 0 || isOverspent) throw",
    replace: "if (total < 0) throw",
    tests: instances,
  },
  {
    rule: "a held order is decided on once",
    file: "app/billing/embedded/orders/held-orders.server.ts",
    find: '\n    .where("decision", row.decision === null ? "is" : "=", row.decision)',
    replace: "",
    tests: instances,
  },
]

export const mutants: readonly Mutant[] = [
  ...money,
  ...settlement,
  ...ownership,
  ...sessions,
  ...callbacks,
  ...jobs,
  ...concurrency,
]
