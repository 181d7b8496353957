import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, HOUR, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { PRICE_NOTICE } from "~/domain/services/renewal"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { renewalLink } from "~/flows/services/renewal-link.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Mailer } from "~/mail/mailer"
import { buyPlan, pay } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { foldOf } from "./renewal-view.server"

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop)
})
afterEach(() => shop.billing.close())

/** The data of the service page in the browser that bought the service. */
async function page(): Promise<string> {
  const response = await respond(shop.services, {
    path: "/success.data",
    session: {
      serviceIds: [bought.serviceId],
      serviceId: bought.serviceId,
      sealedAt: shop.services.now(),
    },
  })
  return response.text()
}

test("renewal from account credit is offered once there is some", async () => {
  const session = customerSession(shop, bought, { serviceId: bought.serviceId })
  const offers = async () => {
    const shown = await respond(shop.services, { path: "/success.data?renew", session })
    return (await shown.text()).includes(enEn.balance.start)
  }
  expect(await offers()).toBe(false)
  await buyPlan(shop, { key: "draft-2" }, TOTAL + 10_00)
  expect(await offers()).toBe(true)
})

test("a renewal from account credit names what is missing of the price and until when, or nothing if nothing is", async () => {
  const session = customerSession(shop, bought, { serviceId: bought.serviceId })
  const shown = async () => {
    const answer = await respond(shop.services, { path: "/success.data?renew", session })
    return (await answer.text()).replaceAll(/\s/g, " ")
  }
  const { now, billing } = shop.services
  const grant = (key: string, minor: number) =>
    shop.billing.operator.grantAccountCredit(bought.customerId, {
      key,
      amount: money(minor, "EUR"),
      reason: "test",
      at: now(),
    })
  await grant("a", TOTAL - 4_00)
  expect(await shown()).toContain("You can stop this at any time. €4.00 is still missing for that.")
  await billing.setBalanceRenewal(bought.serviceId, true, now())
  const short = "€4.00 is still missing for that: it has to be there by Sat, 20 Nov 2027, 12:00 UTC."
  expect(await shown()).toContain(
    `is renewed for €98.90 from your account credit (€94.90). ${short} ${enEn.balance.nothing}`,
  )
  await grant("b", 4_00)
  expect(await shown()).toContain(
    `is renewed for €98.90 from your account credit (€98.90). ${enEn.balance.nothing}`,
  )
})

test.each([
  ["open near the end of the term", { isDue: true, query: "" }, { isFolded: false, isAsked: false }],
  ["folded before", { isDue: false, query: "" }, { isFolded: true, isAsked: false }],
  [
    "opened by a link that asks to renew",
    { isDue: false, query: "renew" },
    { isFolded: true, isAsked: true },
  ],
])("the form that renews is %s", (_, { isDue, query }, fold) => {
  expect(foldOf({ isDue, open: null, query: new URLSearchParams(query) })).toEqual(fold)
})

test.each([
  ["folded near the end of the term", "", false],
  ["folded where a link asks to renew", "renew", false],
  ["opened once a length is chosen", "renew&cycles=2", true],
])(
  "with an unpaid renewal, which is to be paid first, the form of another one is %s",
  (_, query, isAsked) => {
    const open = { id: "R1", kind: "renewal", left: money(59_00, "EUR"), isPartlyPaid: true } as const
    const fold = foldOf({ isDue: true, open, query: new URLSearchParams(query) })
    expect(fold).toEqual({ isFolded: true, isAsked })
  },
)

/** Takes the steps of dunning, a day apart, until the service that nobody has renewed is terminated. */
async function endsUnpaid(): Promise<void> {
  const { dunning } = shop.billing
  const { billing, now } = shop.services
  const { paidUntil } = (await billing.service(bought.serviceId)) ?? {}
  shop.wait((paidUntil ?? 0) - now())
  for (let day = 0; day < 30; day++) {
    shop.wait(DAY)
    for (const step of (await dunning?.due(now(), 10)) ?? []) await dunning?.take(step, now())
  }
  expect((await billing.service(bought.serviceId))?.status).toBe("Terminated")
}

test("a service that has ended unpaid can be renewed, and is not said to be renewed from account credit", async () => {
  await buyPlan(shop, { key: "draft-2" }, TOTAL + 10_00)
  await shop.services.billing.setBalanceRenewal(bought.serviceId, true, shop.services.now())
  const shown = async () => {
    const session = customerSession(shop, bought, { serviceId: bought.serviceId })
    return (await respond(shop.services, { path: "/success.data?renew", session })).text()
  }
  expect(await shown()).toContain(enEn.balance.stop)
  await endsUnpaid()
  expect(await shown()).toContain('"cycles"')
  expect(await shown()).not.toContain(enEn.balance.stop)
})

/** Orders a renewal, whose payment the gateway reports as seen and not confirmed; returns the order's number. */
async function paysRenewal(): Promise<string> {
  const form = { intent: "renew", key: "k", serviceid: bought.serviceId, cycles: "1", gateway: "offshore" }
  const session = { serviceIds: [bought.serviceId], sealedAt: shop.services.now() }
  const response = await respond(shop.services, { path: "/success", form, session })
  expect(response.headers.get("location")).toMatch(/^https:\/\/pay\.test\//)
  const [renewal] = (await shop.billing.operator.orders({ limit: 1 })).map(({ id }) => id)
  shop.gateway.reports("processing", 0)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, renewal ?? "")
  return renewal ?? ""
}

test("the service page says that a payment in flight holds the suspension, and not before or without one", async () => {
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  const graceEnd = (paidUntil ?? 0) + 3 * DAY
  shop.wait(graceEnd - HOUR - shop.services.now())
  await paysRenewal()
  expect(await page()).not.toContain(enEn.renewal.held)
  shop.wait(2 * HOUR)
  const steadyNow = shop.services.now
  const pass = { holder: "i1", steadyNow, renewFromBalance: async () => {} }
  await dunningPass({ ...shop.services, dunning: shop.billing.dunning }, pass)()
  expect(await page()).toContain(enEn.renewal.held)
  expect(await page()).toContain(`"${enEn.place.held}"`)
  expect(await page()).not.toContain("Pauses ")
  expect(await page()).not.toContain(enEn.place.ifNot)
})

test("the page of a paused service says until when its login details are kept", async () => {
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  const [said = ""] = enEn.place.keptUntil.split("{{date}}")
  expect(await page()).not.toContain(said)
  shop.wait((paidUntil ?? 0) + 3 * DAY + HOUR - shop.services.now())
  const steadyNow = shop.services.now
  const pass = { holder: "i1", steadyNow, renewFromBalance: async () => {} }
  await dunningPass({ ...shop.services, dunning: shop.billing.dunning }, pass)()
  await runJobs(shop.services)
  expect(await page()).toContain(`"${enEn.place.paused}"`)
  const end = await shop.billing.dunning?.endOf(bought.serviceId)
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(
    end?.termination,
  )
  expect((await page()).replaceAll(/\s/g, " ")).toContain(`${said}${date}`)
})

test.each([
  ["/es-es", "Renovado hasta el 20 de noviembre de 2028"],
  ["/pt-pt", "Renovado até 20 de novembro de 2028"],
])(
  "the long date in the heading of a renewal breaks between its words on a phone, in %s",
  async (prefix, heading) => {
    const renewal = await shop.services.billing.order(await paysRenewal())
    if (!renewal) throw new Error("There is no renewal")
    await pay(shop, renewal)
    const session = {
      serviceIds: [bought.serviceId],
      serviceId: bought.serviceId,
      orderId: renewal.id,
      sealedAt: shop.services.now(),
    }
    const shown = await respond(shop.services, { path: `${prefix}/success.data`, session })
    expect(await shown.text()).toContain(`"${heading}"`)
  },
)

/** The data of the service page with plain spaces, as its dates have others. */
const pageText = async () => (await page()).replaceAll(/\s/g, " ")

/** Moves the clock to a time, as the operator of a sandbox does, and takes the steps that are due by then. */
async function passTo(at: number): Promise<void> {
  shop.wait(at - shop.services.now())
  const pass = { holder: "i1", steadyNow: shop.services.now, renewFromBalance: async () => {} }
  const { dunning } = shop.billing
  await dunningPass({ ...shop.services, dunning, shop: { testMode: true } }, pass)()
  await runJobs(shop.services)
}

test("who does not renew reads until when the service works, the days of grace included, and when it ends for good", async () => {
  const grace = "It’s paid until 20 November 2027, works until 23 November 2027 and is then paused."
  const forGood = "On 7 December 2027 it ends for good."
  expect(await pageText()).toContain(`${grace} ${forGood} ${enEn.renewal.declineLead}`)
  await shop.services.billing.declineRenewal(bought.serviceId, "price", shop.services.now())
  const declined = `${enEn.renewal.declined} ${grace} ${forGood}`
  expect(await pageText()).toContain(declined)
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  await passTo((paidUntil ?? 0) + HOUR)
  expect(await pageText()).toContain(declined)
  await passTo((paidUntil ?? 0) + 3 * DAY + HOUR)
  expect(await pageText()).toContain(`${enEn.renewal.declined} ${enEn.renewal.pausedNow} ${forGood}`)
  await passTo((paidUntil ?? 0) + 17 * DAY + 2 * HOUR)
  expect((await shop.services.billing.service(bought.serviceId))?.status).toBe("Terminated")
  expect(await pageText()).not.toContain(enEn.renewal.declined)
  expect(await pageText()).not.toContain(enEn.renewal.undecline)
})

test("who may still choose not to renew a paused service is not told that it works", async () => {
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  await passTo((paidUntil ?? 0) + 3 * DAY + HOUR)
  const paused = `${enEn.renewal.pausedNow} On 7 December 2027 it ends for good. ${enEn.renewal.declineLead}`
  expect(await pageText()).toContain(paused)
})

test("a service that works in its days of grace is not said to have ended, and a paused one is", async () => {
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  await passTo((paidUntil ?? 0) + HOUR)
  expect(await pageText()).toContain('"Paid until 20 November 2027"')
  expect(await pageText()).not.toContain("Ended on 20 November 2027")
  await passTo((paidUntil ?? 0) + 3 * DAY + HOUR)
  expect(await pageText()).toContain("Ended on 20 November 2027")
})

test("who may renew without an interruption reads until which hour, not only the day", async () => {
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  await passTo((paidUntil ?? 0) + HOUR)
  expect(await pageText()).toContain(
    "Your plan ended on 20 November 2027. Renew by Tue, 23 Nov 2027, 12:00 UTC and nothing is interrupted",
  )
})

test("a service that is protected from suspension is said to work until the protection ends", async () => {
  const { billing } = shop.services
  const notBefore = Date.UTC(2027, 11, 1, 12)
  const renewalTerms = async (id: string) => {
    const terms = await billing.renewalTerms(id)
    return terms && { ...terms, notBefore }
  }
  shop.services = { ...shop.services, billing: { ...billing, renewalTerms } }
  expect(await pageText()).toContain("works until 1 December 2027 and is then paused.")
})

test("without days of grace the service of who does not renew works until the end of its paid time", async () => {
  await shop.billing.close()
  shop = await openTestShop({ terms: { ...termPolicy, graceDays: 0 } })
  bought = await buyPlan(shop)
  const said =
    "Your access works until 20 November 2027 and is then paused. On 4 December 2027 it ends for good."
  expect(await pageText()).toContain(said)
})

test("the service page says from when another price applies, as long as a term at the former one can be bought", async () => {
  await shop.billing.close()
  const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }
  shop = await openTestShop({ mailer })
  bought = await buyPlan(shop)
  const { now } = shop.services
  const end = (await shop.services.billing.service(bought.serviceId))?.paidUntil ?? 0
  const from = end + DAY
  shop.wait(from - PRICE_NOTICE - now())
  const announced = { price: money(1_500, "EUR"), from, reason: "costs" }
  await shop.billing.operator.movePrice(bought.serviceId, { ...announced, at: now() })
  const [said = ""] = enEn.renewal.announced.split("{{date}}")
  expect(await page()).toContain(said)
  shop.wait(from + HOUR - now())
  expect(await page()).toContain(said)
  shop.wait(end + 4 * DAY - now())
  expect(await page()).not.toContain(said)
})

test("another price is announced to a customer with a discount on every renewal as what they will pay", async () => {
  const { billing, now } = shop.services
  const from = now() + 40 * DAY
  const renewalTerms = async (id: string) => {
    const terms = await billing.renewalTerms(id)
    const announced = { price: money(110_00, "EUR"), from }
    return terms && { ...terms, announced, discount: money(10_00, "EUR"), discountedTerms: null }
  }
  shop.services = { ...shop.services, billing: { ...billing, renewalTerms } }
  expect(await pageText()).toContain("Each period that starts on 30 December 2026 or later costs €100.00.")
})

test("a service whose product is not renewed any more is not ordered, and its pages offer what is sold", async () => {
  const link = await renewalLink(shop.services, bought.serviceId)
  const { operator } = shop.billing
  const { products, ...file } = await operator.exportCatalogue()
  await operator.importCatalogue({
    ...file,
    products: products.map((it) => ({ ...it, renewalPrice: "none" as const })),
  })
  const said =
    "This plan is not renewed any more. It’s paid until 20 November 2027 and works until 23 November 2027."
  const shown = await pageText()
  expect(shown).toContain(said)
  expect(shown).toContain(enEn.last.action)
  expect(shown).not.toContain("Renew until")
  const [path, query] = (link ?? "").split("?")
  const answer = await respond(shop.services, { path: `${path}.data?${query}` })
  const linked = (await answer.text()).replaceAll(/\s/g, " ")
  expect(linked).toContain(said)
  expect(linked).not.toContain("Renew until")
  const form = { intent: "renew", key: "k", serviceid: bought.serviceId, cycles: "1", gateway: "offshore" }
  const session = { serviceIds: [bought.serviceId], sealedAt: shop.services.now() }
  expect((await respond(shop.services, { path: "/success", form, session })).status).toBe(422)
})

test("the service page says that a paid invoice of external billing is being recorded, and nothing of connections", async () => {
  const { billing, now } = shop.services
  const invoiceRenewals = {
    renewalInvoices: async () => [],
    openInvoiceRenewal: () => Promise.reject(new Error("not called")),
    placeInvoiceRenewal: () => Promise.reject(new Error("not called")),
    settleInvoiceRenewal: () => Promise.reject(new Error("not called")),
  }
  const order = async () => ({ ...bought, kind: "renewal" as const, status: "paid" as const })
  shop.services = { ...shop.services, invoiceRenewals, billing: { ...billing, order } }
  const session = { serviceIds: [bought.serviceId], orderId: bought.id, sealedAt: now() }
  const text = await (await respond(shop.services, { path: "/success.data", session })).text()
  expect(text).toContain(enEn.invoice.renewing)
  shop.services = { ...shop.services, invoiceRenewals: null }
  const embedded = await (await respond(shop.services, { path: "/success.data", session })).text()
  expect(embedded).not.toContain(enEn.invoice.renewing)
})
