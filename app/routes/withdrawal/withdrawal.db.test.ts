import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { decodeSession } from "~/context/session-cookie.server"
import { DAY } from "~/domain/calendar"
import { orderWithdrawalPath, pathOf } from "~/domain/orders/screen-paths"
import { noLaw } from "~/domain/shop/country-law"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import { limits } from "~/security/rate-limits.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, pricing, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let handed: OutgoingMail[]
const mailer: Mailer = {
  async send(mail) {
    handed.push(mail)
    return { kind: "sent", response: "250 ok" }
  },
}
beforeEach(async () => {
  handed = []
  const mail = { orders: true, reminders: false, operator: true, creditsLow: 5 }
  shop = await openTestShop({ mailer, mail })
})
afterEach(() => shop.billing.close())

const law = {
  countries: { DE: { orderButton: false, startAtOnce: false, withdrawalDays: 14 } },
  words: noLaw.words,
}

function withLaw() {
  const { services } = shop
  return { ...services, shop: { ...services.shop, legal: { ...services.shop.legal, law } } }
}

function bought(country: string, key = "draft-1") {
  return buyPlan({ ...shop, services: withLaw() }, { key, locale: "de-de", pricing: { ...pricing, country } })
}

/** Sends a form of the page in a browser, or opens the page without one. */
async function visit(form: Record<string, string> | null, withdrawalOf?: string) {
  const path = "/de-de/withdraw"
  const session = { id: "s1", sealedAt: shop.services.now(), withdrawalOf }
  const response = await respond(withLaw(), { path, session, ...(form && { form }) })
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  const now = shop.services.now()
  const { withdrawalOf: found } = decodeSession(shop.services.sessionSeal, cookie?.split(";", 1)[0], now)
  return { status: response.status, location: response.headers.get("location"), found }
}

/** What the page says, as its loader or action sends it to the browser. */
async function saidTo(form: Record<string, string> | null, withdrawalOf?: string): Promise<string> {
  const session = { id: "s1", sealedAt: shop.services.now(), withdrawalOf }
  const path = "/de-de/withdraw.data"
  const response = await respond(withLaw(), { path, session, ...(form && { form }) })
  return response.text()
}

const withdrawals = async (orderId: string) =>
  (await shop.services.billing.timeline(orderId)).filter(({ kind }) => kind === "withdrawn")

const toPage = { status: 303, location: "/checkout/de-de/withdraw" }

describe("a buyer from a country with days of withdrawal", () => {
  test("withdraws in two steps, once", async () => {
    const { id } = await bought("DE")
    const step = await visit({ order: ` ${id.toLowerCase()}`, email: choice.email?.toUpperCase() ?? "" })
    expect(step).toEqual({ ...toPage, found: id })
    expect(await saidTo(null, id)).toContain(`Bestellung ${id} widerrufen?`)
    expect(await withdrawals(id)).toEqual([])
    const at = shop.services.now()
    for (const _ of [1, 2]) {
      expect(await visit({ order: id, intent: "withdraw" }, id)).toMatchObject(toPage)
      shop.wait(DAY)
    }
    expect(await withdrawals(id)).toMatchObject([{ at }])
    expect(await saidTo(null, id)).toContain("Ihr Widerruf ist eingegangen")
  })

  test("gets an acknowledgement with the declaration and its time, and the operator a message", async () => {
    const { id } = await bought("DE")
    for (const _ of [1, 2]) await visit({ order: id, intent: "withdraw" }, id)
    await runMailQueue({ ...shop.services, mailer }, { queue: "mail", signal: new AbortController().signal })
    const [toBuyer, ...more] = handed.filter(({ subject }) => subject.includes("Widerruf"))
    expect(more).toEqual([])
    expect(toBuyer?.to.address).toBe(choice.email)
    for (const part of [toBuyer?.text, toBuyer?.html]) {
      expect(part).toContain(`Hiermit widerrufe ich meinen Vertrag über die Bestellung ${id}.`)
      expect(part).toMatch(/am 20\.\sNovember\s2026 um 12:\d\d\sUTC/)
    }
    const subject = expect.stringContaining(`withdrawn from order ${id}`)
    expect(handed.filter((mail) => mail !== toBuyer)).toContainEqual(expect.objectContaining({ subject }))
  })

  test("keeps the money and the service until the operator decides", async () => {
    const order = await bought("DE")
    await visit({ order: order.id, intent: "withdraw" }, order.id)
    const after = await shop.services.billing.order(order.id)
    expect(after).toMatchObject({ status: "active", received: order.total })
    expect(await shop.services.billing.service(order.serviceId)).toMatchObject({ status: "Active" })
  })

  test("reads on the service page that it has arrived, in place of the purchase and the way to withdraw", async () => {
    const order = await bought("DE")
    const { id } = order
    const session = customerSession(shop, order, { orderId: id })
    const place = async () => {
      const response = await respond(withLaw(), { path: `${pathOf.viewer.success}.data`, session })
      return response.text()
    }
    const way = orderWithdrawalPath(id)
    const before = await place()
    expect([before.includes(way), before.includes("Withdrawal received on")]).toEqual([true, false])
    await visit({ order: id, intent: "withdraw" }, id)
    const after = await place()
    expect(after).toMatch(/Withdrawal received on 20\sNovember\s2026/)
    expect([after.includes(way), after.includes('"Your access"')]).toEqual([false, true])
  })

  test("withdraws until the end of the last day and no later", async () => {
    const { id } = await bought("DE")
    const named = { order: id, email: choice.email ?? "" }
    shop.wait(14 * DAY)
    expect(await visit(named)).toMatchObject(toPage)
    shop.wait(DAY)
    expect(await visit(named)).toMatchObject({ status: 422, found: undefined })
    expect(await saidTo(named)).toContain("Die Widerrufsfrist dieser Bestellung endete am")
    expect(await saidTo(null, id)).toContain("Die Widerrufsfrist dieser Bestellung endete am")
    await visit({ order: id, intent: "withdraw" }, id)
    expect(await withdrawals(id)).toEqual([])
  })

  test("withdraws from the order that the page shows, not from one found in another tab", async () => {
    const first = await bought("DE")
    const second = await bought("DE", "draft-2")
    expect(await visit({ order: first.id, intent: "withdraw" }, second.id)).toMatchObject(toPage)
    expect(await visit({ order: first.id, intent: "withdraw" })).toMatchObject(toPage)
    expect([await withdrawals(first.id), await withdrawals(second.id)]).toEqual([[], []])
  })
})

test("another e-mail, an unknown order and a sale without days of withdrawal get the same refusal", async () => {
  const order = await bought("DE")
  const abroad = await bought("AT", "draft-2")
  const email = choice.email ?? ""
  const wrong: Record<string, string>[] = [
    { order: order.id, email: "ben@example.test" },
    { order: "2222222222", email },
    { order: abroad.id, email },
    { order: "\u0000'; DROP TABLE orders; --", email },
    { order: order.id, email: "no address" },
    { order: order.id },
    {},
  ]
  for (const form of wrong) {
    expect(await visit(form)).toMatchObject({ status: 422, found: undefined })
    const said = await saidTo(form)
    expect(said).toContain("Zu dieser Nummer und E-\u2060Mail-Adresse finden wir keine Bestellung")
    expect(said).toContain("Vergleichen Sie beides mit Ihrem Beleg.")
  }
})

test("a refused form keeps what was typed", async () => {
  const said = await saidTo({ order: "2222222222", email: "ben@example.test" })
  expect(said).toContain("2222222222")
  expect(said).toContain("ben@example.test")
})

test("guesses of orders are limited", async () => {
  const order = await bought("DE")
  const session = { id: "s1", sealedAt: shop.services.now(), visitor: "browser" }
  const services = withLaw()
  const guess = (orderId: string) =>
    respond(services, {
      path: "/withdraw",
      session,
      form: { order: orderId, email: choice.email ?? "" },
    })
  for (let nth = 0; nth < limits.emailChecksOfBrowser; nth++) await guess("2222222222")
  const { status, headers } = await guess(order.id)
  expect(status).toBe(429)
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
})

test("a shop without days of withdrawal has no such page", async () => {
  expect((await respond(shop.services, { path: "/withdraw" })).status).toBe(404)
  const form = { order: "2222222222", email: choice.email ?? "" }
  expect((await respond(shop.services, { path: "/withdraw", form })).status).toBe(404)
  expect((await respond(withLaw(), { path: "/withdraw" })).status).toBe(200)
})
