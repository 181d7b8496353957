import { describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { customerMessages, type DunningMessage, isAboutEnd, type MessageName } from "~/domain/shop/mail"
import { refundOrder } from "~/flows/admin/orders/refund-order.server"
import { releaseOrder } from "~/flows/checkout/held-order.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { changePlan } from "~/flows/services/change-plan.server"
import type { Mailer, MailOutcome, OutgoingMail } from "~/mail/mailer"
import { byAdminCli } from "../../../tests/contracts/billing/billing-fixtures"
import { buy, buyPlan, orderConnection, pay, request } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { topUp } from "../services/top-up.server"
import { runMailQueue } from "./run-mail-queue.server"

const never = new AbortController().signal
const accepted: MailOutcome = { kind: "sent", response: "250 ok" }

/** A shop whose mail server a test controls. */
async function openMailingShop(
  answer: (mail: OutgoingMail, signal: AbortSignal) => MailOutcome | Promise<MailOutcome>,
) {
  const handed: OutgoingMail[] = []
  const mailer: Mailer = {
    async send(mail, signal) {
      handed.push(mail)
      return answer(mail, signal)
    },
  }
  const mail = { orders: true, reminders: false, operator: true, creditsLow: 5 }
  const shop = await openTestShop({ mailer, mail })
  const services = { ...shop.services, mailer }
  const send = async () => {
    await runMailQueue(services, { queue: "sign-in-mail", signal: never })
    await runMailQueue(services, { queue: "mail", signal: never })
  }
  return { ...shop, services, handed, send }
}

test("a bought plan has a receipt to its buyer, in the order's language, with a link to the order", async () => {
  const shop = await openMailingShop(() => accepted)
  const order = await buyPlan(shop, { locale: "de-de" })
  await shop.send()
  expect(shop.handed).toMatchObject([{ to: { name: "", address: "ana@example.test" }, unsubscribeUrl: null }])
  const [{ html, text, subject } = { html: "", text: "", subject: "" }] = shop.handed
  expect(html).toContain(`https://shop.test/checkout/de-de/success?order=${order.id}`)
  expect(text).toContain(order.id)
  expect(text).toContain("Bezahlt bis 20.\u00a0November\u00a02027 um 12:00\u00a0UTC.")
  expect(subject).toBe("Ihr Zugang ist bereit")
  await shop.send()
  expect(shop.handed).toHaveLength(1)
})

test("a paid order that no longer fitted its service is not said to have ended without being complete", async () => {
  const shop = await openMailingShop(() => accepted)
  const { serviceId } = await buyPlan(shop)
  const order = await orderConnection(shop, serviceId)
  const end = { owner: "operator", reason: "sharing", at: shop.services.now() } as const
  await shop.billing.operator.terminateService(serviceId, end)
  await pay(shop, order)
  await shop.send()
  const credit = shop.handed.find(({ subject }) => subject.includes("is now credit in your account"))
  expect(credit?.text).toContain("couldn’t take your payment of €19.90 any more")
  expect(credit?.text).not.toContain("without being complete")
})

test.each([
  ["", 1, () => ""],
  [
    ", and by the end of the username if there is an equal one",
    2,
    (username: string) => ` (…${username.slice(-4)})`,
  ],
])("the receipt of an extra connection names its service%s", async (_, plans, ending) => {
  const shop = await openMailingShop(() => accepted)
  const { serviceId } = await buyPlan(shop)
  for (let bought = 1; bought < plans; bought++) await buyPlan(shop, { key: `plan ${bought}` })
  const { username } = (await shop.services.billing.service(serviceId)) ?? { username: "none" }
  await pay(shop, await orderConnection(shop, serviceId))
  await shop.send()
  const { text } = shop.handed.at(-1) ?? { text: "" }
  expect(text).toContain(`1 extra connection · 12\u00a0months${ending(username)}: €19.90`)
  expect(text).not.toContain(username)
})

test("the receipt has the operator's name of the payment method, in the order's language", async () => {
  const shop = await openMailingShop(() => accepted)
  const name = { "de-de": "SOFORT-Überweisung" }
  const offshore = { name, note: {}, minutes: null, coins: {}, statement: null }
  Object.defineProperty(shop.services.shop, "methods", { value: { offshore } })
  await buyPlan(shop, { locale: "de-de" })
  await shop.send()
  expect(shop.handed.at(-1)?.text).toContain("Zahlungsart: SOFORT-Überweisung.")
})

test("the receipt of a change of plan says until when the new plan is paid", async () => {
  const shop = await openMailingShop(() => accepted)
  const month = { ...choice, plan: "1", extraConnection: false }
  const { serviceId } = await buyPlan(shop, { choices: month, agreedTotal: 12_00 })
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error("no service")
  const placement = await changePlan(shop.services, {
    service,
    shown: { productId: "3", cycle: "annually", price: 79_00, at: shop.services.now(), due: 67_00 },
    customer: null,
    orderId: null,
    key: "change",
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "XX",
    browser: null,
  })
  if (placement.kind !== "placed") throw new Error(placement.kind)
  await openPayment(shop.services, placement.order, { gateway: "offshore", coin: null })
  await pay(shop, placement.order)
  await shop.send()
  const { subject, text } = shop.handed.at(-1) ?? { subject: "", text: "" }
  expect(subject).toBe("Your plan is changed")
  expect(text).toContain("Paid until 20\u00a0November\u00a02027")
})

test.each([
  ["less", 4_00],
  ["more", 20_00],
])(
  "a receipt names the credit that was used, also if an overpayment brings %s new credit",
  async (_, more) => {
    const shop = await openMailingShop(() => accepted)
    const overpaid = await buyPlan(shop, {}, TOTAL + 10_00)
    const { order } = await buy(shop, { key: "draft-2", orderId: overpaid.id })
    await pay(shop, order, TOTAL - 10_00 + more)
    await shop.send()
    expect(shop.handed.at(-1)?.text).toContain("Paid from your credit: €10.00.")
  },
)

test.each([
  ["that the gateway has sent leads to the order", null],
  ["that the buyer has to take leads to the page of the provider", "https://pay.test/pull-payments/1"],
])("the message of a refund %s", async (_, claimUrl) => {
  const shop = await openMailingShop(() => accepted)
  const order = await buyPlan(shop)
  await shop.send()
  const { refunds } = shop.services
  const gateways = [{ id: "offshore", isWholeOnly: false }] as const
  const asked = { id: "r1", orderId: order.id, amount: money(500, "EUR"), reason: "asked" }
  const way = { gateways, address: null, endsService: false, at: shop.services.now() }
  await refunds.begin({ ...asked, ...way })
  await refunds.sent("r1", { claimUrl, at: shop.services.now() })
  await shop.send()
  const { subject, html, text } = shop.handed.at(-1) ?? { subject: "", html: "", text: "" }
  expect(subject).toBe("We’ve refunded €5.00")
  expect(text.includes("keep it to yourself")).toBe(claimUrl !== null)
  expect(html).toContain(`href="${claimUrl ?? `https://shop.test/checkout/success?order=${order.id}`}`)
})

test("the receipt of account credit says what was paid for it, which may be more than was ordered", async () => {
  const shop = await openMailingShop(() => accepted)
  const { customerId, serviceId } = await buyPlan(shop)
  await shop.send()
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error("There is no service")
  const placed = await topUp(shop.services, {
    orderId: null,
    locale: "en-en",
    address: null,
    browser: null,
    key: "top-up",
    service,
    customer: { id: customerId, reach: "account" },
    amount: 25_00,
    gateway: "offshore",
    country: "XX",
  })
  if (placed.kind !== "placed") throw new Error("The top-up was refused")
  await openPayment(shop.services, placed.order, { gateway: "offshore", coin: null })
  await pay(shop, placed.order, 30_00)
  await shop.send()
  const text = shop.handed.map((it) => it.text.replaceAll(/\s+/g, " ")).at(-1)
  expect(text).toContain("€30.00 is paid and is now credit in your account.")
  expect(text).toContain("Total paid: €30.00")
  expect(text).not.toContain("€25.00")
})

test("the receipt of an order whose rest was waived names that, and no more as paid than has come", async () => {
  const shop = await openMailingShop(() => accepted)
  const { order } = await buy(shop)
  await pay(shop, order, TOTAL - 40)
  const rest = money(40, "EUR")
  await shop.billing.operator.waiveRest(order.id, { rest, reason: "fee", at: shop.services.now() })
  await runJobs(shop.services)
  await shop.send()
  const text = shop.handed.map((it) => it.text.replaceAll(/\s+/g, " ")).at(-1)
  expect(text).toContain("Total: €98.90 Waived: − €0.40 Total paid: €98.50")
})

test("the message of a refund that is account credit says so, and leads to no page of a provider", async () => {
  const shop = await openMailingShop(() => accepted)
  const { order } = await buy(shop, { locale: "de-de" })
  const { billing, now } = shop.services
  await billing.applyOrderEvent(order.id, "paid", now(), "operator: bank")
  shop.wait(1)
  const refund = { key: "r1", amount: money(500, "EUR"), reason: "asked", at: now(), toCredit: true }
  await shop.billing.operator.recordRefund(order.id, refund)
  await shop.billing.operator.recordRefund(order.id, { ...refund, key: "r2", toCredit: false })
  await shop.send()
  const texts = shop.handed
    .filter(({ subject }) => subject.startsWith("Wir haben Ihnen"))
    .map(({ text }) => text.replaceAll(/\s+/g, " "))
  expect(texts).toEqual([
    expect.stringContaining("Sie haben den Betrag jetzt als Guthaben"),
    expect.stringContaining("Wann das Geld bei Ihnen ist, hängt von der Zahlungsart ab"),
  ])
})

test.each([
  ["that ends the service says so", true],
  ["after which the service goes on says nothing of its end", false],
])("the message of a refund %s", async (_, endsService) => {
  const shop = await openMailingShop(() => accepted)
  const order = await buyPlan(shop)
  await shop.send()
  const refund = { key: "r1", amount: money(500, "EUR"), reason: "asked", at: shop.services.now() }
  await refundOrder(shop.billing.operator, order.id, { ...refund, endsService })
  await shop.send()
  const { subject, text } = shop.handed.at(-1) ?? { subject: "", text: "" }
  expect(subject).toBe("We’ve refunded €5.00")
  expect(text.includes("Your access has ended")).toBe(endsService)
})

test("a message about the account is in the language of the customer's last paid order", async () => {
  const shop = await openMailingShop(() => accepted)
  const first = await buyPlan(shop, { locale: "en-en" })
  const customer = { id: first.customerId, reach: "account" } as const
  const { now } = shop.services
  const subjects = () => shop.handed.map(({ subject }) => subject)
  const setPassword = async (nth: number) => {
    shop.wait(MINUTE)
    await shop.services.billing.setPassword(customer, `a new password ${nth}`, now)
    await shop.send()
  }
  await setPassword(1)
  shop.wait(MINUTE)
  await buyPlan(shop, { key: "draft-2", locale: "de-de" })
  // One that nobody has paid does not count.
  await buy(shop, { key: "draft-3", locale: "es-es" })
  await setPassword(2)
  expect(subjects().filter((it) => /password|Passwort|contraseña/.test(it))).toEqual([
    "Your account has a new password",
    "Ihr Konto hat ein neues Passwort",
  ])
  shop.wait(MINUTE)
  await shop.billing.operator.changeEmail({ customerId: customer.id, to: "anna@example.test", at: now() })
  await shop.send()
  const german = "Die E-Mail-Adresse Ihres Kontos wurde geändert"
  expect(subjects().slice(-2)).toEqual([german, german])
})

test("no message holds login details", async () => {
  const shop = await openMailingShop(() => accepted)
  const { serviceId } = await buyPlan(shop)
  const service = await shop.services.billing.service(serviceId)
  await shop.send()
  const all = JSON.stringify(shop.handed)
  expect(all).not.toContain(service?.password)
  expect(all).not.toContain(service?.username)
})

test("every message of the log is rendered from what it names", async () => {
  const shop = await openMailingShop(() => accepted)
  const order = await buyPlan(shop)
  await shop.send()
  shop.handed.length = 0
  const requestId = "request"
  await shop.services.signInRequests.create({
    id: requestId,
    email: "ana@example.test",
    locale: "en-en",
    sessionId: "session",
    at: shop.services.now(),
  })
  await shop.services.emailChanges?.create({
    id: requestId,
    customerId: order.customerId,
    email: "anna@example.test",
    locale: "en-en",
    at: shop.services.now(),
  })
  await shop.send()
  shop.handed.length = 0
  const about = { clientId: order.customerId, orderId: order.id, amount: money(500, "EUR"), requestId }
  // These are not sent about an order that is set up.
  const rest: readonly MessageName[] = [
    "price-announced",
    "days-given",
    "partly-paid",
    "payment-received",
    "order-released",
  ]
  const names = customerMessages.filter((name) => !isAboutEnd(name) && !rest.includes(name))
  for (const name of names) {
    const email = "ana@example.test"
    await shop.services.mails.enqueue({
      name,
      onceKey: `test ${name}`,
      ...about,
      email,
      at: shop.services.now(),
    })
  }
  await shop.send()
  // The reminder is off.
  expect(shop.handed.length).toBeGreaterThanOrEqual(names.length - 1)
  for (const { subject, html, text } of shop.handed) {
    expect(subject).not.toBe("")
    expect(`${html}${text}`).not.toMatch(/undefined|NaN|\[object|\{\{/)
  }
})

describe("an order on hold", () => {
  /** An order from a blocked address, and the messages to its buyer after it is released. */
  async function heldOrder(changes: Parameters<typeof request>[0] = {}) {
    const shop = await openMailingShop(() => accepted)
    await shop.billing.operator.block({ kind: "address", value: "203.0.113.9", reason: null, at: 0 })
    const { order } = await buy(shop, { address: "203.0.113.9", locale: "nl-nl", ...changes })
    expect(order.status).toBe("fraud")
    await shop.send()
    shop.handed.length = 0
    return { shop, order }
  }

  const release = async ({ shop, order }: Awaited<ReturnType<typeof heldOrder>>) => {
    await releaseOrder(shop.services, order.id, "operator")
    await shop.send()
    return shop.handed
  }

  test("that is released has a message to its buyer, with the way to pay and until when", async () => {
    const held = await heldOrder()
    const [message, ...others] = await release(held)
    expect(others).toEqual([])
    expect(message).toMatchObject({
      to: { address: "ana@example.test" },
      subject: "Je kunt je bestelling nu betalen",
    })
    expect(message?.text).toContain("tot 21\u00a0november\u00a02026")
    expect(message?.text).toContain(`https://shop.test/checkout/nl-nl/success?order=${held.order.id}`)
    expect(message?.text).toContain("Nog te betalen: €\u00a098,90")
    expect(message?.text).not.toContain("€\u00a00,00")
  })

  test("whose price has changed by its release asks its buyer to look at it, and names no amount", async () => {
    const held = await heldOrder()
    const file = await held.shop.billing.operator.exportCatalogue()
    const products = file.products.map((it) => ({ ...it, pricing: { EUR: { annually: 99_00 } } }))
    await held.shop.billing.operator.importCatalogue({ ...file, products })
    const [message] = await release(held)
    expect(message?.text).toContain("Intussen is er iets veranderd, bijvoorbeeld de prijs")
    expect(message?.text).not.toContain("€")
  })

  test("has no message of its release if its buyer has bought the like since, and would pay twice", async () => {
    const held = await heldOrder()
    const { shop } = held
    shop.wait(MINUTE)
    const { order: unpaid } = await buy(shop, { key: "draft-2", locale: "nl-nl" })
    expect(await release(held)).toEqual([])
    expect(await shop.billing.operator.orders({ limit: 9 })).toMatchObject([
      { id: unpaid.id },
      { id: held.order.id },
    ])
  })

  test("has one although its buyer has bought connections for another service since", async () => {
    const shop = await openMailingShop(() => accepted)
    const { serviceId } = await buyPlan(shop)
    shop.wait(MINUTE)
    await shop.billing.operator.block({ kind: "address", value: "203.0.113.9", reason: null, at: 0 })
    const { order } = await buy(shop, { address: "203.0.113.9", key: "draft-2" })
    shop.wait(MINUTE)
    await orderConnection(shop, serviceId)
    await shop.send()
    shop.handed.length = 0
    expect((await release({ shop, order })).map(({ subject }) => subject)).toContain(
      "You can pay for your order now",
    )
  })

  test("that is paid before the message is sent has none of its release", async () => {
    const { shop, order } = await heldOrder()
    await releaseOrder(shop.services, order.id, "operator")
    await shop.billing.billing.applyOrderEvent(order.id, "paid", shop.services.now(), "bank")
    await shop.send()
    expect(shop.handed.map(({ subject }) => subject)).not.toContain("Je kunt je bestelling nu betalen")
  })
})

test("messages about another price and about days that were given are sent unless they are taken back", async () => {
  const shop = await openMailingShop(() => accepted)
  const { serviceId } = await buyPlan(shop)
  const service = await shop.services.billing.service(serviceId)
  if (!service?.cycle) throw new Error("no cycle")
  const { operator } = shop.billing
  await shop.send()
  shop.handed.length = 0
  const at = shop.services.now()
  const kept = { services: { serviceId }, currency: "EUR", from: at + 40 * DAY, reason: "costs" } as const
  const campaign = { days: 3, productId: null, activeAt: at, reason: "outage" }
  const begin = async (reason: string) => {
    const change = { price: money(89_00, "EUR"), from: kept.from, reason: kept.reason }
    await operator.movePrice(serviceId, { ...change, at: shop.services.now() })
    const { id } = await operator.runCampaign({ ...campaign, reason }, shop.services.now())
    await operator.mailCampaign(id, shop.services.now())
    return id
  }
  const id = await begin("outage")
  await operator.keepPrice(serviceId, { ...kept, at })
  await operator.undoCampaign(id, at)
  await shop.send()
  expect(shop.handed).toEqual([])
  shop.wait(DAY)
  await begin("outage again")
  await shop.send()
  expect(shop.handed.map(({ subject }) => subject).toSorted()).toEqual([
    "12\u00a0months: 3 days more",
    "New price for 12\u00a0months from 30\u00a0December\u00a02026",
  ])
  const text = shop.handed.map((it) => it.text).join()
  expect(text).toContain("€89.00")
  expect(text).toContain("/checkout/renew?renewal=")
})

test("another price of a plan is announced 30 days before also if its customer wanted another plan meanwhile", async () => {
  const shop = await openMailingShop(() => accepted)
  const { serviceId } = await buyPlan(shop)
  await shop.send()
  shop.handed.length = 0
  const { billing } = shop.services
  const price = money(9_00, "EUR")
  const next = { productId: "1", name: "Basic", cycle: "monthly", price } as const
  await billing.chooseNextPlan(serviceId, next, shop.services.now())
  const from = shop.services.now() + 30 * DAY
  const change = { price: money(99_00, "EUR"), from, reason: "costs", at: shop.services.now() }
  await shop.billing.operator.movePrice(serviceId, change)
  await shop.send()
  expect(shop.handed).toEqual([])
  shop.wait(40 * DAY)
  await billing.keepPlan(serviceId, shop.services.now())
  await shop.send()
  expect(shop.handed.map(({ subject }) => subject)).toEqual([
    "New price for 12\u00a0months from 29\u00a0January\u00a02027",
  ])
  expect(await billing.renewalTerms(serviceId)).toMatchObject({
    announced: { price: money(99_00, "EUR"), from: shop.services.now() + 30 * DAY },
  })
})

/** Sends all messages about the end of a service, in its states; returns their texts. */
async function endMessages(
  shop: Awaited<ReturnType<typeof openMailingShop>>,
  { isDeclined }: { readonly isDeclined: boolean } = { isDeclined: false },
) {
  const { serviceId, customerId } = await buyPlan(shop)
  if (isDeclined) await shop.services.billing.declineRenewal(serviceId, "price", shop.services.now())
  const { operator } = shop.billing
  const paidUntil = (await shop.services.billing.service(serviceId))?.paidUntil
  if (!paidUntil) throw new Error("no end")
  await shop.send()
  shop.handed.length = 0
  const cause = { owner: "non-payment", reason: null, at: shop.services.now() } as const
  const send = async (name: DunningMessage) => {
    const mail = { name, clientId: customerId, detail: `${serviceId} ${paidUntil}` }
    await shop.services.mails.enqueue({ ...mail, onceKey: `test ${name}`, at: shop.services.now() })
    await shop.send()
  }
  await send("renewal-reminder")
  await send("renewal-due")
  await operator.suspendService(serviceId, cause)
  await send("service-suspended")
  await send("termination-notice")
  await operator.terminateService(serviceId, cause)
  await send("service-terminated")
}

test("messages about the end of a service are rendered from it as it is then", async () => {
  const shop = await openMailingShop(() => accepted)
  await endMessages(shop)
  expect(shop.handed).toHaveLength(5)
  for (const { html, text } of shop.handed)
    expect(`${html}${text}`).not.toMatch(/undefined|NaN|\[object|\{\{/)
  const unsubscribing = shop.handed.filter(({ unsubscribeUrl }) => unsubscribeUrl !== null)
  expect(unsubscribing).toHaveLength(1)
})

test("messages about the end of a service that is not renewed any more offer no renewal, but what is sold", async () => {
  const shop = await openMailingShop(() => accepted)
  const { operator } = shop.billing
  const { products, ...file } = await operator.exportCatalogue()
  await operator.importCatalogue({
    ...file,
    products: products.map((it) => ({ ...it, renewalPrice: "none" as const })),
  })
  await endMessages(shop)
  const texts = shop.handed.map(({ text, subject }) => `${subject}\n${text}`)
  expect(texts).toHaveLength(5)
  for (const text of texts.slice(0, 4)) {
    expect(text).toContain("We don’t renew this plan any more")
    expect(text).toMatch(/See our plans.*\n*.*https:\/\/shop\.test\/checkout\/$/m)
    expect(text).not.toMatch(/renewal=|Renew it|Renew by/)
  }
})

test("the notice to a customer who does not renew says until when the service works, and does not ask for a payment", async () => {
  const shop = await openMailingShop(() => accepted)
  await endMessages(shop, { isDeclined: true })
  const [notice, suspended] = shop.handed
  expect(notice?.subject).toMatch(/^Your access works until/)
  expect(notice?.text.replaceAll(/\s/g, " ")).toMatch(
    /You’ve chosen not to renew 12 months\. It’s paid until .*, works until .* and is then paused\./,
  )
  expect(notice?.text).not.toMatch(/Renew by|keep your access/)
  expect(suspended?.subject).toBe("Your access is paused")
})

/** The reminder and the notice of a service that is renewed from account credit, as far as `credit` goes. */
async function creditMessages(credit: number) {
  const shop = await openMailingShop(() => accepted)
  const { serviceId, customerId } = await buyPlan(shop)
  const { billing, mails, now } = shop.services
  await billing.setBalanceRenewal(serviceId, true, now())
  const given = { key: "grant", amount: money(credit, "EUR"), reason: "test", at: now() }
  await shop.billing.operator.grantAccountCredit(customerId, given)
  await shop.send()
  shop.handed.length = 0
  const paidUntil = (await billing.service(serviceId))?.paidUntil
  for (const name of ["renewal-reminder", "renewal-due"] as const) {
    const mail = { name, clientId: customerId, detail: `${serviceId} ${paidUntil}` }
    await mails.enqueue({ ...mail, onceKey: `test ${name}`, at: now() })
    await shop.send()
  }
  return shop.handed.map(({ text }) => text.replaceAll(/\s+/g, " "))
}

test("the reminder of a renewal that account credit covers says so, with the price", async () => {
  const [reminder = ""] = await creditMessages(TOTAL)
  expect(reminder).toContain("It’s then renewed for €98.90 from your account credit, which covers that.")
  expect(reminder).not.toMatch(/Renew it before then|still missing/)
})

test("the reminder of a renewal from too little account credit says how much is missing and until when, and so does its notice", async () => {
  const [reminder = "", notice = ""] = await creditMessages(TOTAL - 4_00)
  expect(reminder).toMatch(
    /Of the price \(€98\.90\), €4\.00 is still missing there\. If it isn’t there by 20 November 2027/,
  )
  expect(notice).toContain("of the price (€98.90), €4.00 is missing there")
})

test("a message to the operator goes to the operator's address", async () => {
  const shop = await openMailingShop(() => accepted)
  const { order } = await buy(shop)
  await shop.services.billing.fraudOrder(order.id, "blocked", shop.services.now())
  await shop.send()
  expect(shop.handed).toMatchObject([
    { to: { address: "operator@shop.test" }, subject: expect.stringContaining(order.id) },
  ])
  expect(shop.handed[0]?.text).toContain(`npm run admin -- orders release ${order.id}`)
})

test("what an order has waited for is not told once that is over", async () => {
  let answer: MailOutcome = { kind: "try-later", cause: "server", reason: "no connection" }
  const shop = await openMailingShop(() => answer)
  const { billing, mails, now } = shop.services
  const { order } = await buy(shop)
  await pay(shop, order, 10_00)
  await shop.send()
  expect(shop.handed.map(({ subject }) => subject)).toEqual([expect.stringContaining("is still missing")])
  shop.wait(HOUR)
  await billing.applyOrderEvent(order.id, "paid", now(), "operator: bank")
  await billing.recordProvisioningDelay(order.id, now())
  await mails.alertUnprovisioned(now(), now())
  await runJobs(shop.services)
  expect((await billing.order(order.id))?.status).toBe("active")

  answer = accepted
  shop.handed.length = 0
  await shop.send()
  expect(shop.handed.map(({ subject }) => subject)).toEqual(["Your access is ready"])
  const log = await shop.billing.operator.mails({ orderId: order.id, limit: 9 })
  const skipped = log.filter(({ state }) => state === "skipped")
  expect(skipped.map(({ name }) => name).toSorted()).toEqual([
    "operator-not-provisioned",
    "partly-paid",
    "payment-received",
  ])
})

test("a mail server that was away for a day gets what has waited within the hour", async () => {
  let answer: MailOutcome = { kind: "try-later", cause: "server", reason: "no connection" }
  const shop = await openMailingShop(() => answer)
  await buyPlan(shop)
  for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
    await shop.send()
    shop.wait(10 * MINUTE)
  }
  answer = accepted
  const before = shop.handed.length
  shop.wait(HOUR)
  await shop.send()
  expect(shop.handed).toHaveLength(before + 1)
  expect(await shop.billing.operator.jobs()).toEqual([])
})

test("tries follow the back-off, with the same id, and the message is parked after the last", async () => {
  const shop = await openMailingShop(() => ({
    kind: "try-later",
    cause: "recipient",
    reason: "451 4.7.1 greylisted",
  }))
  await buyPlan(shop)
  const pauses = [0, MINUTE, 5 * MINUTE, 30 * MINUTE, ...Array<number>(47).fill(HOUR)]
  for (const [tries, pause] of pauses.entries()) {
    if (pause > 0) {
      shop.wait(pause - 1)
      await shop.send()
      expect(shop.handed).toHaveLength(tries)
      shop.wait(1)
    }
    await shop.send()
    expect(shop.handed).toHaveLength(tries + 1)
  }
  shop.wait(30 * DAY)
  await shop.send()
  expect(shop.handed.filter(({ to }) => to.address === "ana@example.test")).toHaveLength(pauses.length)
  expect(new Set(shop.handed.map(({ id }) => id)).size).toBe(1)
  expect(await shop.billing.operator.jobs()).toMatchObject([{ topic: "mail", state: "parked" }])
})

test.each([
  ["a mailbox that does not exist", "5.1.1", [], true],
  ["a disabled mailbox", "5.2.1", [], true],
  ["a full mailbox", "5.2.2", [{ state: "parked" }], false],
  ["policy", "5.7.1", [{ state: "parked" }], false],
  ["a message that is too large", "5.3.4", [{ state: "parked" }], false],
  ["no given reason", null, [{ state: "parked" }], false],
])("a refusal for %s (%s)", async (_, status, jobs, isSuppressed) => {
  const shop = await openMailingShop(() => ({ kind: "rejected", status, reason: "refused" }))
  await buyPlan(shop)
  await shop.send()
  expect(await shop.billing.operator.jobs()).toMatchObject(jobs)
  const suppressions = await shop.services.mails.suppressionsOf("ANA@example.test")
  expect(suppressions).toHaveLength(isSuppressed ? 1 : 0)
})

test("a receipt with an unknown outcome is sent again under the same id", async () => {
  const outcomes: MailOutcome[] = [{ kind: "unknown", reason: "connection lost" }, accepted]
  const shop = await openMailingShop(() => outcomes.shift() ?? accepted)
  await buyPlan(shop)
  await shop.send()
  shop.wait(MINUTE)
  await shop.send()
  expect(shop.handed).toHaveLength(2)
  expect(new Set(shop.handed.map(({ id }) => id)).size).toBe(1)
})

test("nobody is mailed for typing an address at the checkout", async () => {
  const shop = await openMailingShop(() => accepted)
  await buy(shop)
  shop.wait(DAY)
  await shop.send()
  expect(shop.handed).toEqual([])
})

test("an error while rendering is retried with the back-off and blocks no other message", async () => {
  const shop = await openMailingShop(() => accepted)
  const broken = await buyPlan(shop)
  await buyPlan(shop, {
    key: "draft-2",
    choices: { ...request().choices, email: "eve@example.test" },
  })
  const { billing } = shop.services
  const services = {
    ...shop.services,
    billing: {
      ...billing,
      order: async (id: string) => {
        if (id === broken.id) throw new TypeError("a mistake of ours")
        return billing.order(id)
      },
    },
  }
  await runMailQueue(services, { queue: "mail", signal: never })
  expect(shop.handed.map(({ to }) => to.address)).toEqual(["eve@example.test"])
  shop.wait(MINUTE)
  await shop.send()
  expect(shop.handed).toHaveLength(2)
})

test.each<[string, MailOutcome, boolean]>([
  ["the mail server itself", { kind: "try-later", cause: "server", reason: "connection refused" }, true],
  ["a recipient's server", { kind: "try-later", cause: "recipient", reason: "451 greylisted" }, false],
])("a failure of %s is one of the shop's mail: %s", async (_, failure, isSilent) => {
  const outcomes = [accepted, failure]
  const shop = await openMailingShop(() => outcomes.shift() ?? failure)
  await buyPlan(shop)
  await shop.send()
  shop.wait(MINUTE)
  await buyPlan(shop, { key: "draft-2", choices: { ...request().choices, email: "eve@example.test" } })
  await shop.send()
  const now = shop.services.now()
  const { silentSince } = await shop.services.mails.stats(now, now - DAY)
  expect(silentSince !== null).toBe(isSilent)
})

test("a message that cannot be rendered is no failure of the mail server", async () => {
  const shop = await openMailingShop(() => accepted)
  await buyPlan(shop)
  await shop.send()
  shop.wait(MINUTE)
  await buyPlan(shop, { key: "draft-2", choices: { ...request().choices, email: "eve@example.test" } })
  const order = () => Promise.reject(new TypeError("a mistake of ours"))
  const services = { ...shop.services, billing: { ...shop.services.billing, order } }
  await runMailQueue(services, { queue: "mail", signal: never })
  const now = shop.services.now()
  expect(await shop.services.mails.stats(now, now - DAY)).toMatchObject({ silentSince: null })
})

test("a database that goes away while messages are sent ends the run once they have ended, and no other is begun", async () => {
  const ended: string[] = []
  const shop = await openMailingShop(async ({ to }) => {
    ended.push(to.address)
    return accepted
  })
  for (let nth = 0; nth < 9; nth++)
    await buyPlan(shop, {
      key: `draft-${nth}`,
      choices: { ...request().choices, email: `buyer${nth}@example.test` },
    })
  const settle = () => Promise.reject(new Error("the database is away"))
  const services = { ...shop.services, mails: { ...shop.services.mails, settle } }
  await expect(runMailQueue(services, { queue: "mail", signal: never })).rejects.toThrow("is away")
  expect(ended).toHaveLength(5)
})

test("a process that is about to stop begins no message", async () => {
  const shop = await openMailingShop(() => accepted)
  await buyPlan(shop)
  await runMailQueue(shop.services, { queue: "mail", signal: AbortSignal.abort() })
  expect(shop.handed).toEqual([])
  await shop.send()
  expect(shop.handed).toHaveLength(1)
})

test("a message that hangs keeps one place: the others are sent meanwhile, and the signal ends it", async () => {
  const stopping = new AbortController()
  const shop = await openMailingShop((mail, signal) =>
    mail.to.address === "ana@example.test"
      ? new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ kind: "unknown", reason: "aborted" })),
        )
      : accepted,
  )
  await buyPlan(shop)
  for (let nth = 0; nth < 20; nth++) {
    const email = `buyer${nth}@example.test`
    await buyPlan(shop, { key: `draft-${nth + 2}`, choices: { ...request().choices, email } })
  }
  const run = runMailQueue(shop.services, { queue: "mail", signal: stopping.signal })
  await expect.poll(() => shop.handed.length).toBe(21)
  stopping.abort()
  await run
  expect(shop.handed).toHaveLength(21)
})

test("log lines of mail have no address in them", async () => {
  const outcomes: MailOutcome[] = [
    { kind: "try-later", cause: "recipient", reason: "451 later" },
    { kind: "unknown", reason: "lost" },
    { kind: "rejected", status: "5.1.1", reason: "no such user" },
  ]
  const shop = await openMailingShop(() => outcomes.shift() ?? accepted)
  await buyPlan(shop)
  for (const pause of [0, MINUTE, 5 * MINUTE]) {
    shop.wait(pause)
    await shop.send()
  }
  const lines = shop.log.filter(({ msg }) => String(msg).startsWith("mail"))
  expect(lines.map(({ state }) => state)).toEqual(["waiting", "waiting", "rejected"])
  expect(JSON.stringify(shop.log)).not.toContain("@example.test")
})

test("the other owners are told at their own address when an owner is added, gets a new link or is disabled", async () => {
  const shop = await openMailingShop(() => accepted)
  const { operators } = shop.billing
  const at = shop.services.now()
  const access = { linkUntil: at + DAY, totpSecret: "sealed", at }
  const add = (id: string, role: "owner" | "support", by = byAdminCli) =>
    operators.add({ ...access, id, linkHash: id, email: `${id}@shop.test`, role }, by)
  const told = async () => {
    await shop.send()
    return shop.handed
      .splice(0)
      .map(({ to, text }) => [to.address, /^.* by .*$|^.* from .*$/m.exec(text)?.[0]])
  }
  await add("marta", "owner")
  expect(await told()).toEqual([])
  const setUp = { id: "marta", linkHash: "marta", password: "x", counter: 0, codeHashes: ["a"] }
  await operators.setUp(setUp)
  const marta = { operatorId: "marta", operator: "marta@shop.test" }
  await add("jonas", "owner", marta)
  const addedBy = "Added as an owner by marta@shop.test."
  expect(await told()).toEqual([["operator@shop.test", addedBy]])
  await add("ines", "support", marta)
  expect(await told()).toEqual([])
  await add("ghost", "owner", marta)
  expect(await told()).toEqual([["jonas@shop.test", addedBy]])
  await operators.reset("jonas", { ...access, linkHash: "anew" }, marta)
  const resetBy = "An owner who got a new one-time link from marta@shop.test."
  expect(await told()).toEqual([
    ["ghost@shop.test", resetBy],
    ["jonas@shop.test", resetBy],
  ])
  await operators.disable("jonas", at, marta)
  const disabledBy = "An owner who was disabled by marta@shop.test."
  expect(await told()).toEqual([
    ["ghost@shop.test", disabledBy],
    ["jonas@shop.test", disabledBy],
  ])
  await add("leo", "owner", marta)
  expect(await told()).toEqual([["ghost@shop.test", addedBy]])
})
