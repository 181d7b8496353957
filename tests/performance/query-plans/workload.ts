import type { Dunning } from "~/billing/dunning"
import type { BillingAdmin } from "~/billing/embedded/admin/billing-admin.server"
import type { MailRepository } from "~/billing/mail-repository"
import type { NewUpsell } from "~/billing/new-order"
import type { NewRenewal } from "~/billing/renewals"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { renewalLine, renewalQuote } from "~/domain/renewal"
import { quoteUpsell } from "~/domain/upsell"
import {
  active,
  type BillingUnderTest,
  NOON,
  opened,
  paymentUpdate,
  placed,
  plan,
  promotions,
  unique,
} from "../../contracts/billing/billing-fixtures"
import { reseller } from "../../contracts/billing/reseller-fixtures"

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
  const day = "2026-06-15"
  await billing.recordClick({ affiliateId: "a1", visitor: unique(), day, referer: null, at: NOON })
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
  await billing.order(order.id)
  await payments.accountCredit(order.customerId, "EUR")
  const attempt = await opened(backend, order, 1_000)
  await payments.latestAttempt(order.id)
  await payments.openAttempts(order.id)
  await payments.claimPoll(attempt.id, NOON + 1, NOON)
  await payments.returnOf(attempt.id)
  await payments.redeemReturnToken(attempt.id, NOON)
  await payments.redeemReturnToken(attempt.id, NOON)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 400), NOON)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 1_300), NOON)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "refunded", 0), NOON)
  const report = { gateway: "offshore", reason: "unreadable", attemptId: attempt.id, detail: "?" } as const
  await payments.recordUnapplied({ ...report, eventKey: unique() }, NOON)
  await payments.recordRejectedCallback("offshore", "signature", "2026-06-15")
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
  const order = await active(backend, { customerId })
  await billing.servicesOf(customer)
  await billing.servicesOf({ ...customer, reach: "sign-up", passwordId: "p1" })
  await runServiceQueries(backend, order)
  await inBrowsers(backend, order)
  const upsell = await billing.addInvoice(moreFor(order))
  await billing.applyOrderEvent(upsell.id, "paid", NOON)
  await billing.recordProvisioningDelay(upsell.id, NOON)
  await billing.markConnectionsProvisioned(upsell.id, NOON)
  await renewing(backend, order)
}

async function renewing({ billing }: BillingUnderTest, order: Order): Promise<void> {
  const { serviceId } = order
  await billing.renewalTerms(serviceId)
  await billing.declineRenewal(serviceId, "price", NOON)
  await billing.resumeRenewal(serviceId, NOON)
  const renewal = await billing.placeRenewal(renewalOf(order))
  await billing.renewalItems(renewal.id)
  await billing.applyOrderEvent(renewal.id, "paid", NOON)
  await billing.lowerRenewalPrice(serviceId, money(1, "EUR"), NOON)
  await billing.setBalanceRenewal(serviceId, true, NOON)
  await billing.dueBalanceRenewals(NOON, "", 50)
  await billing.renewFromBalance({ ...renewalOf(order), at: NOON + 540 * DAY })
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

async function runServiceQueries({ billing }: BillingUnderTest, { serviceId }: Order): Promise<void> {
  await billing.service(serviceId)
  await billing.setDeviceAddress(serviceId, "00:1A:79:AB:CD:EF")
  await billing.setNotes(serviceId, "living room")
  await billing.recordRestart(serviceId, NOON)
  await billing.scheduleRecreation(serviceId, NOON, NOON)
  await billing.recreateService(serviceId, credentials, NOON)
  await billing.activateService(serviceId, access, NOON)
  await billing.markTerminated(serviceId)
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

async function reselling(backend: BillingUnderTest): Promise<void> {
  const { billing } = backend
  const account = { ...visitor, email: `${unique()}@example.test`, password: "a long password" }
  await billing.resellerAuth({ ...account, existing: false })
  const { customerId, line } = await reseller(backend)
  await billing.isReseller(customerId)
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
  await billing.cancelLine({ lineId, customerId, at: NOON })
  await billing.resellerCredits({ id: customerId, reach: "account" }, 20)
  await billing.resellerCredits({ id: customerId, reach: "sign-up", passwordId: "p1" }, 20)
  await billing.endSignUpPassword(customerId, NOON)
}

/** Runs background work: jobs and the sweep. */
export async function runMaintenance({
  billing,
  payments,
  outbox,
  sessions,
  signInRequests,
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
  await signInRequests.deleteRequests(LONG_AGO)
  await billing.eraseInactiveCustomers(LONG_AGO, 100)
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
  await dunning.ending(NOON)
  await dunning.stop({ reason: "clock", detail: "It was moved.", at: NOON })
  await dunning.brake()
  await dunning.release("It is right.", NOON)
}

/** Runs every query of the admin CLI except backup and restore, which read or write the whole database. */
export async function operating(operator: BillingAdmin, { customerId, ...order }: Order, email: string) {
  await operator.importCatalogue(await operator.exportCatalogue())
  await operator.orders({ limit: 50 })
  await operator.orders({ limit: 50, status: "paid" })
  await operator.order(order.id)
  await operator.jobs()
  const ids = (await operator.jobs(order.id)).map(({ id }) => id)
  await operator.retryJobs([...ids, "none"], NOON)
  await operator.discardJob("none")
  await operator.diagnoseJobs()
  await operator.mails({ limit: 20 })
  await operator.mails({ limit: 20, orderId: order.id })
  await operator.mail("none")
  await operator.resendMail("none", NOON)
  await operator.suppressions()
  await operator.endSuppressions("ana@example.test")
  await managingServices(operator, order)
  await operator.traces()
  const block = { kind: "address", value: "192.0.2.99" } as const
  await operator.block({ ...block, reason: null, at: NOON })
  await operator.blocks()
  await operator.unblock(block)
  await operator.affiliates()
  await operator.resellers()
  await operator.diagnose(NOON)
  await operator.checkPayments(NOON)
  await operator.diagnoseAccess()
  await operator.gateway("offshore", NOON)
  await operator.findImbalances()
  await operator.grantResellerCredits({ email, amount: 5, reason: null, at: NOON })
  await operator.exportCustomer(email)
  await operator.changeEmail({ from: email, to: `new-${email}`, at: NOON })
  await operator.changeEmail({ from: `new-${email}`, to: email, at: NOON })
  await operator.eraseCustomer(email, { force: true })
}

async function managingServices(
  operator: BillingAdmin,
  { serviceId }: Pick<Order, "serviceId">,
): Promise<void> {
  const byOperator = { owner: "operator", reason: "asked", at: NOON } as const
  await operator.clockAhead()
  await operator.advanceClock(MINUTE)
  await operator.services({ limit: 20 })
  await operator.services({ limit: 20, status: "Active", productId: "7" })
  await operator.serviceDetails(serviceId)
  await operator.serviceDetails("none")
  await operator.suspendService(serviceId, byOperator)
  await operator.resumeService(serviceId, { owners: ["operator"], reason: null, at: NOON })
  await operator.extendService(serviceId, { days: 1, reason: "asked", at: NOON })
  const request = { days: 2, productId: "7", activeAt: NOON, reason: "outage" }
  await operator.countCampaign(request)
  const { id } = await operator.runCampaign(request, NOON)
  await operator.countCampaign(request)
  await operator.campaigns()
  await operator.undoCampaign(id, NOON)
  await operator.terminateService(serviceId, byOperator)
}
