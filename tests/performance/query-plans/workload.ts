import type { BrandVersions } from "~/billing/brand-versions"
import type { CatalogueAdmin } from "~/billing/catalogue/catalogue-admin"
import type { PromotionAdmin } from "~/billing/catalogue/promotion-admin"
import type { ConsoleOverview } from "~/billing/console-overview"
import { customerNameKinds } from "~/billing/customers/customer-admin"
import type { EmailChanges } from "~/billing/customers/email-changes"
import type { TaxDocuments } from "~/billing/documents/tax-documents"
import type { BillingAdmin } from "~/billing/embedded/admin/billing-admin.server"
import type { MailAdmin } from "~/billing/mail-admin"
import type { MailRepository } from "~/billing/mail-repository"
import type { ApprovalRepository } from "~/billing/operators/approvals"
import type { AuditLog } from "~/billing/operators/audit-log"
import type { BulkRuns } from "~/billing/operators/bulk-runs"
import type { OperatorRepository } from "~/billing/operators/operators"
import type { NewTopUp, NewUpsell } from "~/billing/orders/new-order"
import { orderNameKinds } from "~/billing/orders/order-search"
import type { GatewayRefundRepository } from "~/billing/payments/gateway-refunds"
import type { UnmatchedPayments } from "~/billing/payments/unmatched-payments"
import type { Dunning } from "~/billing/services/dunning"
import type { PriceMoves } from "~/billing/services/price-moves"
import type { NewRenewal } from "~/billing/services/renewals"
import type { TaxAdmin } from "~/billing/tax-admin"
import type { WebhookRepository } from "~/billing/webhook-repository"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { topUpQuote } from "~/domain/orders/top-up"
import type { PaymentUpdate } from "~/domain/payments/payment"
import { planChangeQuote } from "~/domain/services/plan-change"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import { quoteUpsell } from "~/domain/services/upsell"
import { TaxFile } from "~/domain/tax/tax-file"
import {
  active,
  type BillingUnderTest,
  byAdminCli,
  NOON,
  opened,
  paymentUpdate,
  placed,
  plan,
  promotions,
  unique,
} from "../../contracts/billing/billing-fixtures"
import { reseller, resellerPriced } from "../../contracts/billing/reseller-fixtures"
import { nothingWrong } from "../../fixtures/need-query"

const LONG_AGO = NOON - 540 * DAY
const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: "192.0.2.7", at: NOON } as const
const access = { host: "https://tv.test" }
const credentials = { username: "TVHGFEDCBA", password: "9876543210" }

/** Runs every query of buyers, customers and resellers, sequentially. */
export async function shopping(backend: BillingUnderTest): Promise<void> {
  await looking(backend)
  await paying(backend)
  await owning(backend)
  await reselling(backend)
}

async function looking({ billing }: BillingUnderTest): Promise<void> {
  await billing.plans()
  await billing.resellerPlans()
  await billing.gateways()
  await billing.promotion("HALF")
  await billing.promotionUses("HALF")
  await billing.promotionUsesBy("c1", "HALF")
  const day = "2026-06-15"
  await billing.recordClick({ affiliateId: "a1", visitor: unique(), day, referer: null, at: NOON })
  await billing.isDeviceBlocked("00:1A:79:12:34:56")
  await billing.checkFraud({
    address: "8.8.4.7",
    country: "MA",
    browser: unique(),
    at: NOON,
    customer: { id: unique(), authenticatedAccount: true },
  })
}

async function paying(backend: BillingUnderTest): Promise<void> {
  const { billing, payments } = backend
  const order = await placed(backend, { accountCreditScope: "account" }, promotions.half)
  await billing.orderByIdempotencyKey(unique())
  await billing.orderByInvoice(order.invoiceId)
  await billing.externalInvoiceOf(order.id)
  await billing.order(order.id)
  await payments.accountCredit(order.customerId, "EUR")
  const attempt = await opened(backend, order, 1_000)
  await payments.paymentState(order.id)
  await payments.latestAttempt(order.id)
  await payments.openAttempts(order.id)
  await payments.claimPoll(attempt, NOON + 1, NOON)
  await payments.returnOf(attempt.id)
  await payments.redeemReturnToken(attempt.id, NOON)
  await payments.redeemReturnToken(attempt.id, NOON)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 400), NOON)
  await payments.keepCoinReferences(attempt.id, [{ kind: "address", value: unique() }], NOON)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 1_300), NOON)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "refunded", 0), NOON)
  const report = { gateway: "offshore", reason: "unreadable", attemptId: attempt.id, detail: "?" } as const
  await payments.recordUnapplied({ ...report, eventKey: unique() }, NOON)
  const sent = { address: null, headers: [], body: new Uint8Array(), at: NOON }
  await payments.recordRejectedCallback("offshore", "signature", "2026-06-15", sent)
  await billing.timeline(order.id)
  await changingMinds(backend)
}

async function changingMinds(backend: BillingUnderTest): Promise<void> {
  const { billing, payments } = backend
  const right = { ...visitor, email: `${unique()}@example.test` }
  await billing.correctEmail((await active(backend)).id, right)
  const order = await placed(backend, {}, promotions.half)
  await payments.markAttemptClosed((await opened(backend, order, 1_000)).id)
  await payments.changeGateway(order.id, "coinbase", NOON)
  await billing.applyOrderEvent(order.id, "aborted", NOON)
  await billing.fraudOrder((await placed(backend)).id, "a bot", NOON)
  const held = { holdReason: "a bot" }
  const terms = { at: NOON, deadline: NOON + DAY, reference: "operator" }
  await billing.releaseOrder((await placed(backend, held, promotions.half)).id, {
    ...terms,
    quoteHolds: true,
  })
  const { id, lines, total } = await placed(backend, held)
  await billing.releaseOrder(id, { ...terms, quoteHolds: false })
  await billing.requoteOrder(id, { ...terms, quote: { lines, total }, promoCode: null })
  await billing.refuseOrder((await placed(backend, held)).id, terms)
}

async function owning(backend: BillingUnderTest): Promise<void> {
  const { billing } = backend
  const email = `${unique()}@example.test`
  const { customerId } = await billing.identify({ ...visitor, email })
  const customer = { id: customerId, reach: "account" } as const
  await billing.setPassword(customer, "a long password", () => NOON)
  await billing.signIn({ email, password: "a long password" })
  await billing.customerOf(email)
  await billing.customerById(customerId)
  await billing.countryOf(customerId)
  const order = await active(backend, { customerId })
  await billing.servicesOf(customer)
  await billing.servicesOf({ ...customer, reach: "sign-up", passwordId: "p1" })
  await runServiceQueries(backend, order)
  await inBrowsers(backend, order)
  const upsell = await billing.addInvoice(moreFor(order))
  await billing.paidOrdersOf(order.serviceId, 12)
  await billing.paidOrdersOfCustomer({ id: order.customerId, reach: "account" }, 12)
  await billing.netPaidOf({ ...order, received: money(0, order.total.currency) })
  await billing.paidOrdersOfCustomer({ id: order.customerId, reach: "sign-up", passwordId: "p1" }, 12)
  await billing.recordNumberCheck(upsell.id, { result: "valid", at: NOON, requestId: null })
  await billing.applyOrderEvent(upsell.id, "paid", NOON)
  await billing.recordProvisioningDelay(upsell.id, NOON)
  await billing.markConnectionsProvisioned(upsell.id, NOON)
  await changingPlan(backend, order)
  await renewing(backend, order)
}

async function changingPlan({ billing }: BillingUnderTest, order: Order): Promise<void> {
  const { serviceId } = order
  const service = await billing.service(serviceId)
  const facts = await billing.planFacts(serviceId, NOON)
  if (!service?.term || service.paidUntil === null || !facts) throw new Error("no term")
  const { quantity: _, ...fields } = moreFor(order)
  const price = money(3_000, "EUR")
  const target = { productId: "8", name: "Plus", cycle: "monthly", price } as const
  const { term, paidUntil: until } = service
  const now = { when: "now", kind: "same-end", credit: facts.unused, charge: price, term, until } as const
  const due = money(price.minor - facts.unused.minor, "EUR")
  const change = await billing.placePlanChange({
    ...fields,
    quote: planChangeQuote({ ...target, ...now, due }, service),
    target,
    kind: "same-end",
    credit: facts.unused,
    from: NOON,
    term,
    until,
  })
  await billing.planChangeOf(change.id)
  await billing.applyOrderEvent(change.id, "paid", NOON)
  await billing.planFacts(serviceId, NOON)
  await billing.markPlanProvisioned(serviceId, NOON)
  const cheap = { ...target, productId: plan.id, name: plan.name }
  await billing.chooseNextPlan(serviceId, cheap, NOON)
  await billing.nextPlan(serviceId)
  await billing.keepPlan(serviceId, NOON)
  await billing.chooseNextPlan(serviceId, cheap, NOON)
  await billing.startNextPlan(serviceId, NOON)
  await billing.startNextPlan(serviceId, until)
}

async function renewing({ billing }: BillingUnderTest, order: Order): Promise<void> {
  const { serviceId } = order
  await billing.renewalTerms(serviceId)
  await billing.declineRenewal(serviceId, "price", NOON)
  await billing.resumeRenewal(serviceId, NOON)
  const renewal = await billing.placeRenewal({ ...renewalOf(order), known: [] })
  await billing.renewalItems(renewal.id)
  await billing.placeTopUp(topUpOf(order))
  await billing.payableTopUps(order.customerId, "EUR", NOON)
  await billing.unpaidRenewals(serviceId, NOON)
  await billing.partlyPaidOrderOf(serviceId, NOON)
  await billing.applyOrderEvent(renewal.id, "paid", NOON)
  await billing.lowerRenewalPrice(serviceId, money(1, "EUR"), NOON)
  await billing.setBalanceRenewal(serviceId, true, NOON)
  await billing.dueBalanceRenewals(NOON, "", 50)
  await billing.renewFromBalance({ ...renewalOf(order), at: NOON + 540 * DAY })
}

function topUpOf(order: Order): NewTopUp {
  const { items: _, ...fields } = renewalOf(order)
  const quote = topUpQuote(money(1_000, "EUR"))
  return { ...fields, key: unique(), serviceId: order.serviceId, quote, max: 1_000_000 }
}

function renewalOf(order: Order): NewRenewal {
  const { serviceId, quantity, ...upsell } = moreFor(order)
  const item = { serviceId, cycles: quantity, amount: money(2_000, "EUR") }
  const line = renewalLine({ productId: plan.id, name: plan.name, cycle: "monthly" }, item)
  return { ...upsell, items: [item], quote: renewalQuote([line]) }
}

async function inBrowsers({ sessions, signInRequests }: BillingUnderTest, order: Order): Promise<void> {
  const { id: orderId, customerId, serviceId } = order
  const id = unique()
  await sessions.end(id, NOON)
  for (const reach of ["account", "sign-up"] as const) {
    const customer = { id: customerId, reach }
    await sessions.endAllOf(customer, LONG_AGO)
    await sessions.isEnded({ id: unique(), asOf: NOON, customer, orderId, serviceIds: [serviceId, id] })
  }
  const request = { id, email: `${id}@example.test`, locale: "de-de", sessionId: id, at: NOON } as const
  await signInRequests.create(request)
  const visit = { sessionId: id, since: NOON - MINUTE, at: NOON }
  await signInRequests.find(id, visit)
  await signInRequests.countCodeTry(id, visit)
  for (const sessionId of [id, unique()]) await signInRequests.use(id, { customerId, sessionId, at: NOON })
  await signInRequests.end(id, NOON)
}

async function runServiceQueries({ billing }: BillingUnderTest, { id, serviceId }: Order): Promise<void> {
  await billing.service(serviceId)
  await billing.requestDevice(serviceId, "00:1A:79:AB:CD:EF", { at: NOON, due: NOON })
  await billing.dropDeviceRequest(serviceId, "00:1A:79:AB:CD:EF")
  await billing.setDeviceAddress(serviceId, "00:1A:79:AB:CD:EF")
  await billing.setNotes(serviceId, "living room")
  await billing.recordRestart(serviceId, NOON)
  await billing.recordWithdrawal(id, NOON)
  await billing.scheduleRecreation(serviceId, NOON, NOON)
  await billing.recreateService({ id: serviceId, username: credentials.username }, credentials, NOON)
  await billing.activateService(serviceId, access, NOON)
  await billing.markTerminated(serviceId, NOON)
  await billing.reactivateService(serviceId, credentials, NOON)
  await billing.startEarlierTerms(NOON)
  await billing.activateService(serviceId, access, NOON)
}

function moreFor({ serviceId, customerId }: Order): NewUpsell {
  const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(250, "EUR") }
  return {
    key: unique(),
    customerId,
    serviceId,
    quantity: 1,
    quote: quoteUpsell(extra, 1),
    accessScope: { reach: "account" },
    accountCreditScope: "none",
    browser: null,
    holdReason: null,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    number: unique,
    at: NOON,
    deadline: NOON + DAY,
  }
}

/** A further plan for a reseller's account, in both scopes. */
async function buyCreditsAgain(backend: BillingUnderTest, { customerId, serviceId }: Order): Promise<void> {
  const { billing } = backend
  for (const accessScope of [{ reach: "account" }, { reach: "sign-up", passwordId: "p1" }] as const) {
    const further = { kind: "reseller", quote: resellerPriced, credits: 25, addsCredits: true } as const
    const order = () => placed(backend, { ...further, key: unique(), customerId, accessScope })
    // Under the password both are to open an account, and the second finds that of the first.
    for (const { id } of [await order(), await order()]) await billing.applyOrderEvent(id, "paid", NOON)
  }
  await billing.creditsSold(serviceId)
}

async function reselling(backend: BillingUnderTest): Promise<void> {
  const { billing } = backend
  const account = { ...visitor, email: `${unique()}@example.test`, password: "a long password" }
  await billing.resellerAuth({ ...account, existing: false })
  const { customerId, order, line } = await reseller(backend)
  await billing.isReseller(customerId)
  await buyCreditsAgain(backend, order)
  const { serviceId: lineId } = await billing.createLine(line())
  await billing.activateService(lineId, access, NOON)
  const { resellerServiceId, accessScope, resellerCreditScope } = line()
  await billing.extendLines({
    key: unique(),
    customerId,
    resellerServiceId,
    accessScope,
    resellerCreditScope,
    lineIds: [lineId],
    gateway: "offshore",
    locale: "en-en",
    address: null,
    number: unique,
    at: NOON,
  })
  await billing.linesOnCredit(customerId, [lineId])
  await billing.linesEndedEarly(customerId, [lineId])
  await billing.planOrdersOf(customerId)
  await billing.cancelLine({ lineId, customerId, at: NOON })
  await billing.resellerCredits({ id: customerId, reach: "account" }, 20)
  await billing.resellerCredits({ id: customerId, reach: "sign-up", passwordId: "p1" }, 20)
  await billing.endSignUpPassword(customerId, NOON)
  await billing.setBusiness(customerId, null)
  await billing.businessOf(customerId)
}

/** Runs background work: jobs and the sweep. */
export async function runMaintenance({
  billing,
  payments,
  outbox,
  sessions,
  signInRequests,
  steps,
}: BillingUnderTest): Promise<void> {
  for (const job of await outbox.claim(NOON, MINUTE, 10)) await outbox.complete(job)
  for (const job of await outbox.claim(NOON + HOUR, MINUTE, 1)) {
    await outbox.renew(job, NOON + HOUR, NOON + HOUR + MINUTE)
    await outbox.reschedule(job, { at: NOON + HOUR, due: null, reason: "given up" })
  }
  await outbox.lease("sweep", "an instance", NOON, MINUTE)
  await payments.attemptsDueForPolling("offshore", NOON + MINUTE, 100)
  await billing.overdueOrders(NOON, 100)
  await payments.creditUnappliedPayments(NOON, 100)
  await sessions.deleteEndedSessions(NOON)
  const day = "2026-06-15"
  const counted = {
    day,
    step: "paid",
    plan: plan.id,
    gateway: "offshore",
    locale: "en-en",
    count: 1,
  } as const
  await steps.addSteps([counted])
  await steps.steps(day, day)
  await steps.deleteStepsBefore(day)
  await payments.deleteRejectedCallbacks(LONG_AGO)
  await signInRequests.deleteRequests(LONG_AGO)
  await billing.eraseInactiveCustomers(LONG_AGO, 100)
}

/** The documents of a taxed order that is paid and refunded in part, and those of a span. */
export async function readingDocuments(backend: BillingUnderTest, documents: TaxDocuments): Promise<void> {
  const order = await placed(backend, { buyer: { named: "DE", located: "DE" } })
  const attempt = await opened(backend, order)
  const record = (update: PaymentUpdate) => backend.payments.recordPaymentUpdate("offshore", update, NOON)
  await record(paymentUpdate(attempt, "paid", 2_000))
  await record({ ...paymentUpdate(attempt, "refunded", 2_000), refunded: money(500, "EUR") })
  const [invoice] = await documents.taxDocumentsOf(order.id)
  await documents.taxDocument(invoice?.number ?? "")
  await documents.taxDocumentNumbers([order.id, "o1"])
  await documents.proforma(order.id)
  const span = { from: "2026-06-01", until: "2026-06-30" }
  const { next } = await documents.taxDocumentsIn(span, { after: null, limit: 1 })
  await documents.taxDocumentsIn(span, { after: next, limit: 1 })
  for (const after of [null, "2026-03-12 2026-1"])
    await documents.taxDocumentsIn({ from: "2026-03-01", until: "2026-03-31" }, { after, limit: 200 })
}

/** A customer's changes of e-mail: one replaced, one stopped, and one undone. */
export async function changingEmail(backend: BillingUnderTest, changes: EmailChanges): Promise<void> {
  const { customerId } = await active(backend)
  const ask = async () => {
    const id = unique()
    await changes.create({ id, customerId, email: `${id}@example.test`, locale: "de-de", at: NOON })
    return id
  }
  await changes.end(await ask(), NOON)
  await changes.revert(await ask(), NOON)
  const id = await ask()
  await changes.hasPassword(customerId)
  await changes.openOf(customerId, LONG_AGO)
  await changes.countCodeTry(customerId, LONG_AGO)
  await changes.find(id)
  await changes.isAvailable((await placed(backend)).email, customerId)
  await changes.confirm(id, { customerId, since: LONG_AGO, at: NOON })
  await changes.revert(id, NOON)
  await changes.deleteChanges(LONG_AGO)
}

/** Sends mail: a receipt, and a reminder that is checked again. */
export async function mailing(backend: BillingUnderTest & { mails: MailRepository }): Promise<void> {
  const { mails, outbox } = backend
  await placed(backend, { browser: unique() })
  await mails.enqueue({ name: "sign-in", onceKey: unique(), email: "ana@example.test", at: NOON })
  for (const queue of ["sign-in-mail", "mail"] as const) {
    for (const job of await outbox.claim(NOON + DAY, MINUTE, 100, queue)) {
      if (await mails.begin(job, NOON + HOUR))
        await mails.settle(job, { state: "rejected", noMailbox: true, reason: "5.1.1", at: NOON + HOUR })
    }
  }
  await mails.suppress({ email: "ana@example.test", scope: "reminder", reason: "unsubscribed", at: NOON })
  await mails.suppressionsOf("ana@example.test")
  await mails.suppressRecipient(unique(), { scope: "reminder", reason: "unsubscribed", at: NOON })
  await mails.unsubscribe(unique(), { reason: "unsubscribed", at: NOON })
  await mails.alertUnprovisioned(NOON, NOON)
  await mails.alertParkedJobs(NOON)
  await mails.alertGateway("offshore", true, NOON)
  await mails.stats(NOON, NOON - DAY)
  await mails.deleteOld(NOON)
}

type DunningBackend = BillingUnderTest & { readonly mails: MailRepository; readonly dunning: Dunning }

/** The life of a service that nobody renews, step by step, and the brake. */
export async function dunningServices(backend: DunningBackend): Promise<void> {
  const { dunning, outbox, mails } = backend
  const { serviceId } = await active(backend)
  for (const days of [24, 30, 31, 34, 45, 48, 50]) {
    const at = NOON + days * DAY
    await dunning.observe(at)
    for (const due of await dunning.due(at, 20)) await dunning.take(due, at)
    for (const job of await outbox.claim(at, MINUTE, 20, "mail")) {
      if (await mails.begin(job, at)) await mails.settle(job, { state: "sent", reason: null, at })
    }
  }
  await dunning.endOf(serviceId)
  await dunning.recordOutage({ part: "panel", since: NOON, until: NOON + HOUR })
  await dunning.panelFails()
  await dunning.replanReminders(NOON)
  await dunning.ending(NOON)
  await dunning.stop({ reason: "clock", detail: "It was moved.", at: NOON })
  await dunning.brake()
  await dunning.release("It is right.", NOON)
}

/** Runs every query of the admin CLI except backup and restore, which read or write the whole database. */
export async function operating(operator: BillingAdmin, { customerId, ...order }: Order, email: string) {
  await operator.importCatalogue(await operator.exportCatalogue())
  await operator.orders({ limit: 50 })
  await findingOrders(operator)
  await operator.order(order.id)
  await notingOrders(operator, order.id)
  await findingCustomers(operator, customerId)
  await operator.jobs()
  await operator.failedJobs({ limit: 51 })
  await operator.failedJobs({ beyond: { at: NOON, id: "m" }, limit: 51 })
  await operator.failedJobs({ beyond: { at: NOON, id: "m" }, newer: true, limit: 51 })
  const ids = (await operator.jobs(order.id)).map(({ id }) => id)
  await operator.retryJobs([...ids, "none"], NOON)
  await operator.discardJob("none")
  await operator.diagnoseJobs()
  await operator.mails({ limit: 20, orderId: order.id })
  await operator.mail("none")
  await operator.resendMail("none", NOON)
  await findingMails(operator)
  await operator.endSuppressions("ana@example.test")
  await managingServices(operator, order)
  await operator.traces()
  const block = { kind: "address", value: "192.0.2.99" } as const
  await operator.block({ ...block, reason: null, at: NOON })
  await operator.blocks()
  await operator.unblock(block)
  await operator.affiliates()
  const span = { firstDay: "2026-05-16", lastDay: "2026-06-15", from: NOON - 30 * DAY, until: NOON }
  for (const range of [{}, { after: "a1" }, { before: "a9" }])
    await operator.listAffiliates({ ...range, span, limit: 51 })
  await operator.affiliate("a1", span)
  await operator.affiliateOrders("a1", { span, limit: 26 })
  await operator.affiliateOrders("a1", { span, beyond: { at: NOON, id: "x" }, limit: 26 })
  for (const after of [null, `${NOON - DAY} m`]) await operator.accountingEntries(span, { after, limit: 200 })
  await operator.numberSeries(NOON)
  await operator.continueNumbers({ kind: "credit-note", year: 2026, sequence: 9 })
  await operator.resellers()
  for (const range of [{}, { email: "buyer" }, { after: "c1" }, { before: "c9" }])
    await operator.listResellers({ ...range, limit: 51 })
  await operator.reseller("c1")
  const beyond = { at: NOON, id: "x" }
  await operator.resellerEntries("c1", { from: 0, until: NOON, beyond, limit: 26 })
  await operator.resellerLines("c1", { beyond, limit: 26 })
  await operator.diagnose(NOON)
  await operator.checkPayments(NOON)
  await operator.diagnoseAccess()
  await operator.findImbalances()
  const [id = ""] = await operator.customersOf(email)
  await operator.grantResellerCredits({ customerId: id, amount: 5, reason: null, at: NOON })
  await operator.exportCustomer([id])
  await operator.changeEmail({ customerId: id, to: `new-${email}`, at: NOON })
  await operator.changeEmail({ customerId: id, to: email, at: NOON })
  await operator.eraseCustomer([id], { force: true })
}

/** Pages of orders by every index, in both directions, and every name of an order. */
async function findingOrders(operator: BillingAdmin): Promise<void> {
  const beyond = { at: NOON - 200 * DAY, id: "o1" }
  for (const key of [
    {},
    { status: "active" },
    { gateway: "offshore" },
    { promoCode: "half" },
    { total: 2_000 },
    { tag: "vip" },
    { by: "paid" },
  ] as const) {
    await operator.orders({ ...key, limit: 50, beyond, from: LONG_AGO, until: NOON })
    await operator.orders({ ...key, limit: 50, beyond, newer: true })
  }
  for (const kind of orderNameKinds) await operator.ordersNamed({ kind, text: "buyer20", limit: 50 })
  await operator.ordersNamed({ kind: "username", text: "TVABCD", limit: 50 })
  await operator.ordersNamed({ kind: "email", text: "buyer20@example.test", isWhole: true, limit: 50 })
  await operator.ordersNamed({ kind: "payment", text: "p2654435761", limit: 50 })
  await operator.ordersNamed({ kind: "coin", text: "bc1qaddress20", limit: 50 })
}

async function notingOrders(operator: BillingAdmin, orderId: string): Promise<void> {
  const by = { operator: "marta@shop.test", at: NOON }
  await operator.addOrderNote(orderId, { ...by, text: "asked on chat" })
  await operator.addOrderTag(orderId, { ...by, tag: "vip" })
  await operator.removeOrderTag(orderId, "vip")
  const [paid] = await operator.orders({ limit: 1, status: "active" })
  const refund = { key: unique(), amount: money(100, "EUR"), reason: "asked", at: NOON }
  for (const id of [paid?.id ?? "", orderId]) await operator.recordRefund(id, refund)
  for (const id of [paid?.id ?? "", orderId])
    await operator.recordRefund(id, { ...refund, key: unique(), toCredit: true })
}

async function managingServices(
  operator: BillingAdmin,
  { serviceId }: Pick<Order, "serviceId">,
): Promise<void> {
  const byOperator = { owner: "operator", reason: "asked", at: NOON } as const
  await operator.clockAhead()
  await operator.advanceClock(MINUTE)
  await listingServices(operator)
  await operator.serviceDetails(serviceId)
  await operator.serviceDetails("none")
  await operator.suspendService(serviceId, byOperator)
  await operator.resumeService(serviceId, { owners: ["operator"], reason: null, at: NOON })
  await operator.extendService(serviceId, { days: 1, reason: "asked", at: NOON })
  await operator.setConnections(serviceId, { connections: 3, reason: "asked", at: NOON })
  await operator.recordServiceEvent(serviceId, { kind: "device", at: NOON, detail: { reason: "asked" } })
  const request = { days: 2, productId: "7", activeAt: NOON, reason: "outage" }
  await operator.countCampaign(request)
  const { id } = await operator.runCampaign(request, NOON)
  await operator.countCampaign(request)
  await operator.campaigns()
  await operator.mailCampaign(id, NOON)
  await operator.undoCampaign(id, NOON)
  const services = { productId: "7", cycle: "monthly" } as const
  const move = { services, price: money(1_900, "EUR"), from: NOON + 40 * DAY, reason: "costs" }
  await operator.countPriceMove(move)
  await operator.movePrice(serviceId, { price: move.price, from: move.from, reason: move.reason, at: NOON })
  await operator.renewalGroups("3", NOON)
  const kept = { currency: "EUR", from: move.from, reason: move.reason, at: NOON } as const
  await operator.keepPrice(serviceId, kept)
  await operator.terminateService(serviceId, byOperator)
}

/** Pages of services by every index, in both directions. */
async function listingServices(operator: BillingAdmin): Promise<void> {
  const beyond = { at: NOON - 200 * DAY, id: "s1" }
  for (const range of [
    { by: "created" },
    { by: "created", status: "Pending" },
    { by: "ending", until: NOON },
    { by: "step", until: NOON },
  ] as const) {
    await operator.services({ ...range, limit: 20 })
    await operator.services({ ...range, limit: 20, beyond })
    await operator.services({ ...range, limit: 20, beyond, newer: true })
  }
}

/** Pages of customers, their names, and all that is stored about one. */
async function findingCustomers(operator: BillingAdmin, customerId: string): Promise<void> {
  const beyond = { at: NOON - 200 * DAY, id: "c1" }
  await operator.customers({ limit: 20 })
  await operator.customers({ limit: 20, beyond })
  await operator.customers({ limit: 20, beyond, newer: true })
  for (const kind of customerNameKinds) await operator.customersNamed({ kind, text: "buyer20", limit: 50 })
  await operator.customersNamed({ kind: "username", text: "TVABCDEFGH", limit: 50 })
  await operator.emailsOf([customerId, unique()])
  const grant = { key: unique(), amount: money(500, "EUR"), reason: "asked", at: NOON }
  await operator.grantAccountCredit(customerId, grant)
  await operator.customer(customerId)
}

/** What the console does: operators, their sessions, and the audit log. */
export async function operatingConsole(operators: OperatorRepository, auditLog: AuditLog): Promise<void> {
  const [id, linkHash] = [unique(), unique()]
  const email = `${id}@shop.test`
  const access = { linkHash, linkUntil: NOON + DAY, totpSecret: "sealed" }
  await operators.exist()
  await operators.add({ ...access, id, email, role: "owner", at: NOON }, byAdminCli)
  await operators.list()
  await operators.find(email)
  await operators.byLink(linkHash, NOON)
  await operators.setUp({ id, linkHash, password: "correct horse", counter: 1, codeHashes: ["a", "b"] })
  await operators.checkPassword(email, "correct horse")
  await operators.spendCode(id, 2)
  await operators.spendRecoveryCode(id, "a")
  await operators.recoveryCodesLeft(id)
  const limits = { now: NOON + HOUR, idle: DAY, longest: DAY }
  const session = { id, tokenHash: id, operatorId: id, at: NOON, address: null, browser: null }
  await operators.addSession(session)
  await operators.session(id, { ...limits, isUse: true })
  await operators.prove(id, NOON)
  await operators.sessions(id, limits)
  const change = { keptSession: id, at: NOON }
  await operators.replaceRecoveryCodes(id, { ...change, codeHashes: ["c"] })
  await operators.changePassword(id, { ...change, password: "correct horse 2" })
  await operators.endSession(id, id, NOON)
  await operators.endSessions(id, NOON)
  await operators.deleteSessions(LONG_AGO)
  // By an owner, who is another one.
  const [ownerId, ownerLink] = [unique(), unique()]
  const owner = { id: ownerId, email: `${ownerId}@shop.test`, role: "owner", at: NOON } as const
  await operators.add({ ...access, ...owner, linkHash: ownerLink }, byAdminCli)
  const used = { id: ownerId, linkHash: ownerLink, password: "correct horse", counter: 1, codeHashes: ["a"] }
  await operators.setUp(used)
  const by = { operatorId: ownerId, operator: owner.email }
  await operators.reset(id, { ...access, linkHash: unique(), at: NOON }, by)
  await operators.disable(id, NOON, by)
  const entry = {
    at: NOON,
    operatorId: id,
    operator: email,
    action: "take-need",
    subject: "order 1",
  } as const
  await auditLog.sentForm(id)
  for (const formKey of [id, id, null]) await auditLog.append({ ...entry, outcome: "started", formKey })
  await auditLog.page({ after: 0, limit: 10 })
  await auditLog.newest({ limit: 10 })
  await auditLog.newest({ limit: 10, before: 9, subject: "order 1" })
  await auditLog.newest({ limit: 10, before: 9, operator: email })
  await auditLog.newest({ limit: 10, before: 9, action: "add-note" })
  await auditLog.newest({ limit: 10, before: 9, from: NOON - DAY, until: NOON })
  await auditLog.newest({ limit: 10, subject: "order 1", from: NOON - DAY, until: NOON })
  await auditLog.verify()
}

/** Runs every query of payments that match no order. */
export async function settlingUnmatched(
  backend: BillingUnderTest,
  unmatched: UnmatchedPayments,
): Promise<void> {
  const order = await placed(backend)
  const settling = { operator: "admin CLI", reason: "asked", at: NOON } as const
  const open = async () => {
    const payment = await reportUnmatched(backend, unmatched)
    return { ...settling, id: payment.id, expected: payment.amount }
  }
  const amount = money(9_00, "EUR")
  await unmatched.close({ ...(await open()), state: "returned", reference: "r-1" })
  await unmatched.assign({ ...(await open()), amount, to: { orderId: order.id }, tolerance: 0 })
  const to = { customerId: order.customerId }
  await unmatched.assign({ ...(await open()), amount, to, tolerance: 0 })
  await unmatched.list({ isOpen: false, limit: 20 })
}

/** Reports a payment that matches no order, twice. */
async function reportUnmatched({ payments }: BillingUnderTest, unmatched: UnmatchedPayments) {
  const received = money(9_00, "EUR")
  const attemptId = unique()
  const named = { eventKey: unique(), attemptId, paymentId: unique() }
  const update = { ...named, status: "paid", received, transactionId: null } as const
  const report = { gateway: "offshore", reason: "unknown-attempt", detail: "paid 9.00 EUR" } as const
  for (const _ of [1, 2]) await payments.recordUnapplied({ ...report, ...named, update }, NOON)
  const found = await unmatched.list({ isOpen: true, limit: 20 })
  const payment = found.find((it) => it.attemptId === attemptId)
  if (!payment) throw new Error("The payment is not open")
  await unmatched.find(payment.id)
  return payment
}

/** Waives the rest of an order that lacks a little. */
export async function waivingRest(
  backend: BillingUnderTest,
  operator: Pick<BillingAdmin, "waiveRest">,
): Promise<void> {
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  const update = paymentUpdate(attempt, "partially-paid", 1_990)
  await backend.payments.recordPaymentUpdate("offshore", update, NOON)
  await operator.waiveRest(order.id, { rest: money(10, "EUR"), reason: "fee", at: NOON })
}

/** Refunds that a gateway pays. */
export async function refundingByGateway(
  backend: BillingUnderTest,
  refunds: GatewayRefundRepository,
): Promise<void> {
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  const [first, second] = [unique(), unique()]
  const asked = {
    orderId: order.id,
    amount: money(100, "EUR"),
    gateways: [{ id: "offshore", isWholeOnly: false }],
    address: null,
    reason: "asked",
    endsService: true,
    at: NOON,
  } as const
  for (const id of [first, first]) await refunds.begin({ ...asked, id })
  await refunds.find(first)
  await refunds.ofOrder(order.id)
  await refunds.sent(first, { claimUrl: null, at: NOON })
  await refunds.begin({ ...asked, id: second })
  await refunds.refused(second, { detail: "no funds", at: NOON })
  await refunds.dismiss(second)
}

/** The console's list of mail: by each state, by an address, and from a place on, in both directions. */
async function findingMails(operator: MailAdmin): Promise<void> {
  const beyond = { at: NOON, id: "m" }
  for (const state of [undefined, "sent", "parked"] as const)
    for (const range of [{}, { beyond }, { beyond, newer: true }])
      await operator.mailPage({ state, ...range, limit: 51 })
  for (const isBeginning of [true, false]) {
    const address = { text: "buyer20@example.test", isBeginning }
    await operator.mailPage({ address, beyond, limit: 51 })
    await operator.suppressions({ address, limit: 51 })
  }
}

/** What waits for a second operator. */
export async function approving(approvals: ApprovalRepository, orderId: string): Promise<void> {
  const [id, other] = [unique(), unique()]
  const asked = {
    action: "refund-order",
    orderId,
    customerId: null,
    amount: money(100, "EUR"),
    details: { endsService: false, force: false, throughGateway: false, address: null },
    reason: "asked",
    operatorId: null,
    operator: "marta@shop.test",
    at: NOON,
    expiresAt: NOON + DAY,
  } as const
  for (const each of [id, other]) await approvals.add({ ...asked, id: each })
  await approvals.find(id)
  await approvals.ofOrder(orderId)
  await approvals.ofCustomer("none")
  await approvals.open(NOON, 20)
  const decision = { operator: "jonas@shop.test", at: NOON }
  await approvals.decide({ ...decision, id, decision: "confirmed" })
  await approvals.decide({ ...decision, id: other, decision: "refused" })
  await approvals.finish(id, "done")
}

/** Actions on many rows: each kind of row, one that changes nothing by itself, and one that is stopped. */
export async function actingInBulk(bulk: BulkRuns, { id, serviceId }: Order): Promise<void> {
  const run = {
    conditions: {},
    days: 2,
    reason: "outage",
    operatorId: null,
    operator: "marta@shop.test",
    at: NOON,
  } as const
  const chosen = [
    ["services", "extend-service", serviceId, "Pending endless"],
    ["orders", "resend-mail", id, "placed"],
    ["orders", "retry-job", id, "placed"],
    ["orders", "cancel-order", id, "placed 0"],
    ["jobs", "retry-job", "none", "failed"],
  ] as const
  for (const [list, action, item, mark] of chosen) {
    const runId = unique()
    await bulk.begin({ ...run, id: runId, list, action }, [
      { item, mark },
      { item, mark },
    ])
    await bulk.find(runId)
    const [first, second] = await bulk.unsettled(runId, 20)
    if (first) await bulk.apply(first, NOON)
    if (second && (await bulk.start(second, NOON))) await bulk.settle(second, { skip: null, at: NOON })
    await bulk.items(runId, { after: -1, limit: 1_000 })
    await bulk.stop(runId, { by: "marta@shop.test", at: NOON })
    await bulk.finish(runId, NOON)
  }
  await bulk.newest(50)
  for (const _ of ["rows", "run"]) await bulk.deleteOld(NOON + 1)
}

/** Another price is announced to all services of a plan, and taken back. */
export async function announcingPrices(priceMoves: PriceMoves): Promise<void> {
  const group = { productId: "7", cycle: "monthly", currency: "EUR", reason: "costs" } as const
  const begun = { from: NOON + 40 * DAY, operatorId: null, operator: "admin CLI", at: NOON }
  const kinds = [
    { kind: "announcement", price: money(8_00, "EUR") },
    { kind: "return", price: null },
  ] as const
  for (const kind of kinds) {
    const id = unique()
    await priceMoves.begin({ ...group, ...begun, ...kind, id })
    while (await priceMoves.goOn(id, NOON));
    await priceMoves.find(id)
  }
  await priceMoves.ofProduct("7", 10)
}

/** The console's first page: what needs a person, and sums of closed hours and of the present one. */
export async function lookingAtOverview(
  overview: ConsoleOverview,
  operators: OperatorRepository,
): Promise<void> {
  const operatorId = unique()
  const access = { linkHash: unique(), linkUntil: NOON, totpSecret: "sealed" }
  await operators.add(
    {
      ...access,
      id: operatorId,
      email: `${operatorId}@shop.test`,
      role: "owner",
      at: NOON,
    },
    byAdminCli,
  )
  await overview.take({ need: "mail", operatorId, at: NOON })
  await overview.needs({ now: NOON + DAY, yesterday: "2026-06-14", ...nothingWrong })
  await overview.waitingOrders("offshore")
  await overview.gatewayStats("offshore", NOON)
  await overview.leave("mail", operatorId)
  await overview.endedTerms({ from: NOON - 2 * DAY, until: NOON })
  await overview.rejectedCallbacks({ gateways: ["offshore", "coinbase"], since: "2026-06-14", limit: 20 })
  await overview.storedCallbacks({ gateways: ["offshore", "coinbase"], since: NOON - DAY, limit: 20 })
  await overview.storedCallback("none")
  await overview.progress(["offshore", "coinbase"])
  await overview.hours({ from: NOON - DAY, until: NOON + HOUR, now: NOON + MINUTE })
}

/** The console's pages of promotions, with an order of a limited one before. */
export async function managingPromotions(promotions: PromotionAdmin): Promise<void> {
  const fields = { code: unique(), appliesto: "", type: "Percentage", value: "10" }
  const limits = { maxuses: 9, maxusesperperson: 2, renewals: 0, cycles: ["monthly"] }
  const added = await promotions.addPromotion({ ...fields, ...limits })
  if (added.kind !== "saved") throw new Error("The promotion was not added")
  await promotions.changePromotion({ ...fields, ...limits, value: "20" }, added.promotion)
  for (const after of [undefined, "HALF"]) await promotions.promotions({ after, limit: 51 })
  await promotions.promotions({ beginning: "HA", before: "HAZ", limit: 51 })
  await promotions.promotionDetails(fields.code)
  await promotions.addCodes(fields.code, { codes: [unique().toUpperCase()], at: NOON })
  await promotions.codes(fields.code, { state: "unused", beginning: "GIFT", after: "GIFT-2", limit: 51 })
  await promotions.codeCounts(fields.code)
  await promotions.withdrawCodes(fields.code, { beginning: "GIFT", at: NOON })
  await promotions.switchOff(fields.code, NOON)
  await promotions.switchOn(fields.code)
}

/** The console's page of tax, with a change of the rules and its end, and what every instance does each second. */
export async function managingTax(tax: TaxAdmin): Promise<void> {
  const { latest } = await tax.present()
  const made = { author: "owner@shop.test", reason: "checked", at: NOON }
  await tax.change(TaxFile.parse({ country: "DE" }), { ...made, seenVersion: latest })
  for (const before of [undefined, 2]) await tax.versions({ before, limit: 51 })
  await tax.lastFormKey()
  await tax.version(latest + 1)
  await tax.change(null, { ...made, seenVersion: latest + 1 })
  await tax.takeBack(latest + 1, { ...made, seenVersion: latest + 2 })
  await tax.refresh()
  tax.rules()
  tax.accounting()
}

/** The console's pages of the catalogue, with a change of products and its end. */
export async function managingCatalogue(catalogue: CatalogueAdmin): Promise<void> {
  const { content, latest } = await catalogue.present()
  await catalogue.check(content)
  const made = { author: "owner@shop.test", reason: "a sale", at: NOON }
  const [first, ...plans] = content.plans
  const renamed = first ? [{ ...first, name: unique().slice(0, 8) }, ...plans] : plans
  await catalogue.change({ ...content, plans: renamed }, { ...made, seenVersion: latest })
  for (const before of [undefined, 2]) await catalogue.versions({ before, limit: 51 })
  await catalogue.lastFormKey()
  await catalogue.version(1)
  await catalogue.isSold("none")
  await catalogue.takeBack(1, { ...made, seenVersion: latest + 2 })
}

/** The console's pages of the brand, with a change, its end and a preview. */
export async function managingBrand(brand: BrandVersions): Promise<void> {
  const made = { at: NOON, author: "owner@shop.test", reason: "a new name", takenFrom: null }
  await brand.save(
    { brand: { name: unique().slice(0, 8) } },
    { ...made, how: "edit", seenVersion: (await brand.latest()).version },
  )
  const { version } = await brand.present()
  for (const before of [undefined, 2]) await brand.versions({ before, limit: 51 })
  await brand.lastFormKey()
  await brand.version(version)
  await brand.save({}, { ...made, how: "reset", seenVersion: version })
  const id = unique()
  await brand.keepDraft({ id, at: NOON, content: {} })
  await brand.draft(id, NOON)
}

/** Events for the operator's systems, an endpoint and its deliveries. */
export async function handingOutEvents(webhooks: WebhookRepository): Promise<void> {
  const id = unique()
  const endpoint = { id, url: "https://crm.test/", description: "", subscriptions: ["*"] } as const
  await webhooks.addEndpoint({ ...endpoint, sealedSecret: "sealed", at: NOON })
  await webhooks.recordGateway("offshore", true, NOON)
  await webhooks.publish(100_000)
  await webhooks.eventStream()
  await webhooks.eventsAfter(0, 100)
  await webhooks.endpoints()
  await webhooks.endpoint(id)
  await webhooks.editEndpoint(id, { url: "https://crm.test/moved", description: "CRM" }, NOON)
  await webhooks.rotateSecret(id, {
    sealedSecret: "another",
    formerUntil: NOON + DAY,
    replaced: "sealed",
  })
  await webhooks.busyEndpoints(NOON)
  await webhooks.enqueueDeliveries(id, NOON, 500)
  const [due] = await webhooks.dueDeliveries(id, NOON, 16)
  const eventId = due?.event.id ?? ""
  const tried = { eventId, at: NOON, holdUntil: null, tookMs: 9, error: "status 500", response: "" }
  await webhooks.noteTry(id, { ...tried, state: "waiting", due: NOON + DAY, status: 500 })
  await webhooks.skipDelivery(id, eventId)
  for (const state of ["skipped", null] as const) await webhooks.deliveries(id, { state, limit: 50 })
  await webhooks.deliveries(id, { state: null, limit: 50, before: 100 })
  const added = await webhooks.endpoint(id)
  if (added) await webhooks.pending(added)
  await webhooks.redeliver(id, { eventId }, NOON)
  await webhooks.redeliver(id, { from: NOON, until: NOON + 1 }, NOON)
  await webhooks.watchEndpoints(NOON + HOUR)
  await webhooks.pauseEndpoint(id, "failing", NOON)
  await webhooks.resumeEndpoint(id, NOON)
  await webhooks.deleteOld(NOON + 91 * DAY)
  await webhooks.removeEndpoint(id)
}
