import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, HOUR, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { PRICE_NOTICE } from "~/domain/renewal"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { renewalLink } from "~/flows/services/renewal-link.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Mailer } from "~/mail/mailer"
import { buyPlan, pay } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

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

test("who does not renew reads until when the service works, and nothing of a day that is over", async () => {
  await shop.services.billing.declineRenewal(bought.serviceId, "price", shop.services.now())
  expect(await page()).toContain("Your access works until")
  const { paidUntil } = (await shop.services.billing.service(bought.serviceId)) ?? {}
  shop.wait((paidUntil ?? 0) + HOUR - shop.services.now())
  const ended = await page()
  expect(ended).toContain(enEn.renewal.declinedEnded)
  expect(ended).not.toContain("Your access works until")
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

test("a service whose product is not renewed any more is not ordered, and its pages offer what is sold", async () => {
  const link = await renewalLink(shop.services, bought.serviceId)
  const { operator } = shop.billing
  const { products, ...file } = await operator.exportCatalogue()
  await operator.importCatalogue({
    ...file,
    products: products.map((it) => ({ ...it, renewalPrice: "none" as const })),
  })
  const [said = ""] = enEn.last.until.split("{{date}}")
  const shown = await page()
  expect(shown).toContain(said)
  expect(shown).toContain(enEn.last.action)
  expect(shown).not.toContain("Renew until")
  const [path, query] = (link ?? "").split("?")
  const linked = await (await respond(shop.services, { path: `${path}.data?${query}` })).text()
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
