import { UNSAFE_decodeViaTurboStream as decode } from "react-router"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import { emptyChoices } from "~/domain/orders/choices"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import type { Transfer } from "~/domain/payments/coin"
import { changeGateway } from "~/flows/payments/change-gateway.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Mailer } from "~/mail/mailer"
import { buy, buyPlan, orderConnection } from "../../../tests/fixtures/purchase"
import { orderResellerPlan } from "../../../tests/fixtures/reseller-account"
import { respond } from "../../../tests/fixtures/shop-router"
import { NOON, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }
const promises = { email: enEn.unpaid.email, comeBack: enEn.unpaid.comeBack }

const open = { expiresAt: NOON + HOUR, seen: "0", confirmations: null }

let shop: TestShop
afterEach(() => shop.billing.close())

/** What the waiting page of an unpaid order promises to who closes it. */
async function promised(): Promise<string[]> {
  const { order } = await buy(shop)
  const page = await pageOf(order.id)
  return Object.entries(promises).flatMap(([name, text]) => (page.includes(text) ? [name] : []))
}

test("the waiting page promises an email where a mail server is set", async () => {
  shop = await openTestShop({ mailer })
  expect(await promised()).toEqual(["email"])
})

test("the waiting page of extra connections promises the email that their buyer gets", async () => {
  shop = await openTestShop({ mailer })
  const { serviceId } = await buyPlan(shop)
  expect(await pageOf((await orderConnection(shop, serviceId)).id)).toContain(promises.email)
})

test("the waiting page promises no email without a mail server", async () => {
  shop = await openTestShop()
  expect(await promised()).toEqual(["comeBack"])
})

test("the waiting page promises no email to an address that mail comes back from", async () => {
  shop = await openTestShop({ mailer })
  const { order } = await buy(shop)
  const { mails, now } = shop.services
  await mails.suppress({ email: order.email, scope: "all", reason: "bounce", at: now() })
  expect(await promised()).toEqual(["comeBack"])
})

test.each([
  ["USDT/tron", "TXyzAddressOfNobody", "no button, since its address is no link"],
  ["BTC/btc", "bitcoin:bc1qnobody?amount=0.00021", "a button"],
] as const)("the waiting page of a payment in %s to %s opens a wallet by %s", async (coin, uri, how) => {
  shop = await openTestShop()
  const orderId = await coinOrder(coin, { uri })
  const page = await pageOf(orderId)
  expect(page).toContain(uri)
  expect(page.includes(enEn.unpaid.wallet)).toBe(how === "a button")
})

test.each([
  ["USDT/tron", "address", ["Send to this address", "Send only USDT (Tron), and only on this network."]],
  ["BTC/LN", "invoice", ["Pay this Lightning invoice", "Only a wallet with Lightning can pay this invoice."]],
] as const)("the waiting page of a payment in %s calls what it is sent to an %s", async (coin, _, said) => {
  shop = await openTestShop()
  const page = await pageOf(await coinOrder(coin))
  const all = [
    "Send to this address",
    "Send only ",
    "Pay this Lightning invoice",
    "Only a wallet with Lightning",
  ]
  expect(all.filter((text) => page.includes(text))).toHaveLength(said.length)
  for (const text of said) expect(page).toContain(text)
})

test("the waiting page says until when a coin's amount is valid, and until when to pay if that is another moment", async () => {
  shop = await openTestShop()
  const textOf = async (orderId: string) => (await pageOf(orderId)).replaceAll("\u00a0", " ")
  const inCoin = async (expiresAt: number) => textOf(await coinOrder("BTC/btc", { expiresAt }))
  expect(await inCoin(NOON + HOUR)).toContain(
    '"This amount is valid until 13:00 UTC today. Pay by tomorrow at 12:00 UTC."',
  )
  expect(await inCoin(NOON + 24 * HOUR)).toContain('"This amount is valid until tomorrow at 12:00 UTC."')
  const { order } = await buy(shop, { key: "draft-2" })
  expect(await textOf(order.id)).toContain('"Pay by tomorrow at 12:00 UTC."')
})

test("the waiting page counts account credit among what pays the order", async () => {
  shop = await openTestShop()
  const overpaid = await buyPlan(shop, {}, TOTAL + 10_00)
  const { order } = await buy(shop, { key: "draft-2", orderId: overpaid.id })
  shop.gateway.reports("partially-paid", 60_00)
  shop.wait(5 * SECOND)
  const page = await pageOf(order.id)
  expect(page).toContain("€60.00 of your €88.90 has arrived.")
  expect(page).toContain("€28.90 is still missing")
})

test.each([
  ["has expired", "expired", enEn.unpaid.runOut, enEn.unpaid.runOutLead],
  ["failed", "failed", enEn.unpaid.failed, enEn.unpaid.failedLead],
] as const)("the waiting page of a payment that %s says so", async (_, status, heading, lead) => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  expect(await pageOf(order.id)).not.toContain(heading)
  shop.gateway.reports(status, 0)
  shop.wait(5 * SECOND)
  const page = await pageOf(order.id)
  expect(page).toContain(heading)
  expect(page).toContain(lead)
})

test.each([
  ["nothing is known of is not asked to pay again", "pending", 0, "paid"],
  ["has failed is asked to pay", "failed", 0, "pay"],
  ["has run out is asked to pay", "expired", 0, "pay"],
  ["has paid a part is asked for the rest", "partially-paid", 60_00, "pay"],
] as const)("a buyer who comes back from a payment that %s", async (_, status, received, state) => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports(status, received)
  shop.wait(5 * SECOND)
  const { search } = new URL(shop.gateway.opened[0]?.returnUrl ?? "")
  const query = new URLSearchParams(search)
  query.delete("resume")
  expect(await stateOf(order.id, `?${query}`)).toBe(state)
  expect(await stateOf(order.id, "")).toBe("pay")
})

test("a buyer who comes back from the payment of the rest is not asked for it again, but after Back from it is", async () => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", 60_00)
  shop.wait(5 * SECOND)
  expect(await stateOf(order.id, "?returned")).toBe("pay")
  await changeGateway(shop.services, order.id, { gateway: "coinbase", coin: null })
  expect(await stateOf(order.id, "?returned")).toBe("pay")
  const { search } = new URL(shop.other.opened.at(-1)?.returnUrl ?? "")
  const session = { orderId: order.id, sealedAt: shop.services.now() }
  await respond(shop.services, { path: `/waiting${search}`, session })
  expect(await stateOf(order.id, "?returned")).toBe("paid")
  shop.other.reports("partially-paid", 10_00)
  shop.wait(5 * SECOND)
  expect(await stateOf(order.id, "?returned")).toBe("pay")
})

test("a buyer who leaves the payment without paying comes back to pay", async () => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  const query = new URL(shop.gateway.opened[0]?.cancelUrl ?? "").searchParams
  query.delete("resume")
  expect(await stateOf(order.id, `?${query}`)).toBe("pay")
})

describe.each([
  ["of this shop", false],
  ["of the billing server that takes the payments", true],
])("where account credit is that %s, the waiting page", (_, isCreditExternal) => {
  const { expired, expiredExternal, partCredit, partExternal } = enEn.unpaid

  beforeEach(async () => {
    shop = await openTestShop()
    Object.assign(shop.services, { isCreditExternal })
  })

  test.each(["edit", "abort", "another"])(
    "says to ?%s what becomes of the part that is paid",
    async (asked) => {
      const { order } = await buy(shop)
      shop.gateway.reports("partially-paid", 60_00)
      shop.wait(5 * SECOND)
      const page = await pageOf(order.id, [], `?${asked}`)
      const words = [partCredit, partExternal].map((text) => text.replace("{{received}}", "€60.00"))
      expect(words.map((text) => page.includes(text))).toEqual([!isCreditExternal, isCreditExternal])
    },
  )

  test.each([
    ["paid", "lookingLate", "lookingExternal"],
    ["abort", "abort", "abortExternal"],
  ] as const)("says to ?%s what becomes of a payment that comes late", async (asked, own, external) => {
    const { order } = await buy(shop)
    const page = await pageOf(order.id, [], `?${asked}`)
    const found = [own, external].map((name) => page.includes(enEn.unpaid[name]))
    expect(found).toEqual([!isCreditExternal, isCreditExternal])
  })

  test.each([null, "mailto:help@shop.test"])(
    "asks for the order's number only where there is a contact: %s",
    async (support) => {
      Object.assign(shop.services.shop.links, { support })
      const { order } = await buy(shop)
      shop.gateway.reports("partially-paid", 60_00)
      shop.wait(5 * SECOND)
      await pageOf(order.id)
      await shop.services.billing.applyOrderEvent(order.id, "deadlinePassed", shop.services.now())
      const page = await pageOf(order.id)
      expect(page).toContain(enEn.unpaid.expiredPartly.replace("{{received}}", "€60.00"))
      expect(page.includes(enEn.unpaid.tellOrder)).toBe(support !== null)
    },
  )

  test("of an expired order says what becomes of a late payment", async () => {
    const { order } = await buy(shop)
    await shop.services.billing.applyOrderEvent(order.id, "deadlinePassed", shop.services.now())
    const page = await pageOf(order.id)
    const found = [expired, expiredExternal].map((text) => page.includes(text))
    expect(found).toEqual([!isCreditExternal, isCreditExternal])
  })

  test("of an expired order says that a part which arrived is recorded", async () => {
    const { order } = await buy(shop)
    shop.gateway.reports("partially-paid", 60_00)
    shop.wait(5 * SECOND)
    await pageOf(order.id)
    await shop.services.billing.applyOrderEvent(order.id, "deadlinePassed", shop.services.now())
    const page = await pageOf(order.id)
    expect(page).toContain(enEn.unpaid.expiredPartly.replace("{{received}}", "€60.00"))
  })
})

test("the waiting page of an expired order says that the part which arrived has become account credit", async () => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", 60_00)
  shop.wait(5 * SECOND)
  await pageOf(order.id)
  const { billing, payments, now } = shop.services
  await billing.applyOrderEvent(order.id, "deadlinePassed", now())
  await payments.creditUnappliedPayments(order.deadline + LATE_PAYMENT_GRACE + 1, 9)
  const page = await pageOf(order.id)
  expect(page).toContain(enEn.unpaid.expiredCredited.replace("{{received}}", "€60.00"))
  expect(page).not.toContain('"credited"')
})

test("the waiting page of a payment whose end the gateway has named does not call it failed then", async () => {
  shop = await openTestShop()
  shop.gateway.lastsFor(HOUR)
  const { order } = await buy(shop)
  shop.wait(HOUR)
  expect(await pageOf(order.id)).toContain(enEn.unpaid.runOut)
})

test("says before a change whether the buyer goes back to the choices, or chooses again with the access", async () => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  expect(await pageOf(order.id)).toContain(enEn.unpaid.edit)
  const { serviceId } = await buyPlan(shop, { key: "draft-2" })
  const connection = await orderConnection(shop, serviceId)
  expect(await pageOf(connection.id)).toContain(enEn.unpaid.editOfService)
})

test.each([
  ["", "Your new choice: 1\u00a0month, Extra connection, ben@example.test."],
  ["/de-de", "Ihre neue Auswahl: 1\u00a0Monat, Weitere Verbindung, ben@example.test."],
])("who decides between an open order and a new choice reads both, in %s", async (prefix, text) => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  const choices = {
    ...emptyChoices,
    plan: "1",
    extraConnection: true,
    proxyProtection: false,
    email: "ben@example.test",
  }
  const session = { orderId: order.id, serviceIds: [], choices, sealedAt: shop.services.now() }
  const path = `${prefix}/waiting.data?another`
  expect(await (await respond(shop.services, { path, session })).text()).toContain(text)
  expect(await pageOf(order.id, [], "?abort")).not.toContain("new choice:")
})

test("the title of a question about an order is its heading", async () => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  expect(await pageOf(order.id, [], "?edit")).toContain(`"title","${enEn.unpaid.editHeading}"`)
})

test("after an hour without news the waiting page reloads by its link alone", async () => {
  shop = await openTestShop()
  const { order } = await buy(shop)
  shop.wait(HOUR - 1)
  expect(await pageOf(order.id)).toContain(enEn.unpaid.stopReloading)
  shop.wait(1)
  const page = await pageOf(order.id, [], "?paid")
  expect(page).not.toContain(enEn.unpaid.stopReloading)
  expect(page).toContain('"?paid="')
})

test("the waiting page of extra connections names their service, by its username only to who may see it", async () => {
  shop = await openTestShop()
  const { serviceId } = await buyPlan(shop)
  const { username } = (await shop.services.billing.service(serviceId)) ?? { username: "none" }
  const { id: orderId } = await orderConnection(shop, serviceId)
  expect(await pageOf(orderId, [serviceId])).toContain(`Service: 12\u00a0months (${username})`)
  const another = await pageOf(orderId)
  expect(another).toContain('"Service: 12\u00a0months"')
  expect(another).not.toContain(username)
})

test("the waiting page of a reseller plan names the plan and the credits that it was ordered with", async () => {
  shop = await openTestShop()
  const { order } = await orderResellerPlan(shop, "ana@example.test")
  const inEnglish = await pageOf(order.id, [], "", "/resellers/waiting")
  expect(inEnglish).toContain('"Reseller 25"')
  expect(inEnglish).toContain('"Includes 25 credits."')
  expect(await pageOf(order.id, [], "", "/de-de/resellers/waiting")).toContain('"Enthält 25 Credits."')
  const { order: plan } = await buy(shop)
  expect(await pageOf(plan.id)).not.toContain("credits.")
})

/** The data of an order's waiting page, for a session with these services. */
async function pageOf(
  orderId: string,
  serviceIds: readonly string[] = [],
  query = "",
  path = "/waiting",
): Promise<string> {
  const session = { orderId, serviceIds: [...serviceIds], sealedAt: shop.services.now() }
  return (await respond(shop.services, { path: `${path}.data${query}`, session })).text()
}

/** Whether the waiting page of an order asks to pay, or looks for the payment. */
async function stateOf(orderId: string, query: string): Promise<unknown> {
  const session = { orderId, sealedAt: shop.services.now() }
  const { body } = await respond(shop.services, { path: `/waiting.data${query}`, session })
  if (body === null) throw new Error("The page has no data")
  const { value } = await decode(body, globalThis as unknown as Window)
  const loaded = Object.values(value as Record<string, { data: { state?: unknown } }>)
  return loaded.map(({ data }) => data?.state).find((it) => it !== undefined)
}

/** An order with an on-site payment in this coin. */
async function coinOrder(coin: string, changes: Partial<Transfer> = {}): Promise<string> {
  const [currency = "", network = ""] = coin.split("/")
  const address = "TXyzAddressOfNobody"
  const transfer = {
    coin: { currency, network },
    amount: "13.41",
    address,
    uri: address,
    ...open,
    ...changes,
  }
  shop.gateway.takes([transfer.coin], transfer)
  const { order } = await buy(shop)
  await openPayment(shop.services, order, { gateway: "offshore", coin })
  return order.id
}
