import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { CheckoutSession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { SECOND } from "~/domain/calendar"
import { type Currency, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { paidStatuses } from "~/domain/orders/order-status"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

const { fromCredit } = enEn.buying

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop)
})
afterEach(() => shop.billing.close())

type Session = Partial<CheckoutSession>

function signedIn(changes: Session = {}): Session {
  const email = choice.email ?? ""
  const customer = { id: bought.customerId, email, currency: "EUR", reach: "account" } as const
  const at = shop.services.now()
  const proof = { how: "password", at } as const
  return { id: "s1", customer, proof, sealedAt: at, choices: { ...choice, email }, ...changes }
}

let grants = 0
async function grant(minor: number, currency: Currency = "EUR"): Promise<void> {
  const given = { key: `grant-${++grants}`, amount: money(minor, currency), reason: "test" }
  await shop.billing.operator.grantAccountCredit(bought.customerId, { ...given, at: shop.services.now() })
}

/** Another order of the customer uses all of the credit. */
async function spendElsewhere(): Promise<Order> {
  const customer = { id: bought.customerId, reach: "account" } as const
  const { order } = await buy(shop, { key: `other-${++grants}`, customer })
  return order
}

async function dataOf(path: string, session: Session): Promise<string> {
  return (await respond(shop.services, { path, session })).text()
}

/** Posts a form of a page; `session`: as the response leaves it. */
async function post(path: string, form: Record<string, string>, session: Session) {
  const response = await respond(shop.services, { path, form, session })
  const [cookie = ""] = response.headers.getSetCookie().filter((it) => it.startsWith("checkout="))
  const value = decodeURIComponent(cookie.slice("checkout=".length).split(";", 1)[0] ?? "")
  const { sessionSeal, now } = shop.services
  return {
    status: response.status,
    location: response.headers.get("location"),
    session: decodeSession(sessionSeal, value, now()) as Session,
  }
}

/** What gateways were asked for, the purchases of the fixture aside. */
function asked(): number[] {
  return shop.gateway.opened.slice(1).map(({ amount }) => amount.minor)
}

const askedAgain = "/checkout/creatingOrder?credit"

describe.each([
  ["the checkout", "/_root.data"],
  ["the reseller checkout", "/resellers.data"],
])("%s", (_, path) => {
  test("names the credit of a signed-in customer to nobody else", async () => {
    const without = await dataOf(path, {})
    await grant(12_34)
    expect(await dataOf(path, signedIn())).toContain(fromCredit)
    expect(await dataOf(path, signedIn())).toContain("1234")
    expect(await dataOf(path, {})).not.toContain(fromCredit)
    const keyless = (page: string) => page.replaceAll(/"name\d+"/g, "")
    expect(keyless(await dataOf(path, {}))).toBe(keyless(without))
  })

  test("names none in another currency, and none of a session that was ended", async () => {
    await grant(12_34, "GBP")
    expect(await dataOf(path, signedIn())).not.toContain(fromCredit)
    await grant(12_34)
    await shop.services.sessions.end("s1", shop.services.now() + 1_000)
    expect(await dataOf(path, signedIn())).not.toContain(fromCredit)
  })

  test("is shown without it while the credit cannot be read", async () => {
    await grant(12_34)
    const accountCredit = async () => Promise.reject(new BillingError("unavailable", "away"))
    const services = { ...shop.services, payments: { ...shop.services.payments, accountCredit } }
    const response = await respond(services, { path, session: signedIn() })
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain(fromCredit)
  })
})

describe("the review", () => {
  const draft = { key: "draft-2", total: TOTAL }
  const form = { draft: draft.key, total: String(TOTAL) }

  test("asks to check what is paid if the checkout showed credit that is gone", async () => {
    await grant(12_34)
    const shown = { draft: { ...draft, credit: 12_34 } }
    expect(await dataOf("/creatingOrder.data", signedIn(shown))).not.toContain(enEn.orderReview.creditChanged)
    await spendElsewhere()
    const page = await dataOf("/creatingOrder.data", signedIn(shown))
    expect(page).toContain(enEn.orderReview.creditChanged)
  })

  test("keeps the credit that the checkout showed", async () => {
    await grant(12_34)
    const pressed = {
      intent: "pay",
      plan: "3",
      email: choice.email ?? "",
      gateway: "offshore",
      extraConnection: "on",
      shown: String(TOTAL),
      credit: "1234",
    }
    const { session } = await post("/?index", pressed, signedIn())
    expect(session.draft).toMatchObject({ total: TOTAL, credit: 12_34 })
  })

  test("leads to no gateway, but back, if the order asks for more than it showed", async () => {
    await grant(12_34)
    const session = signedIn({ draft })
    await spendElsewhere()
    const before = asked()
    const placed = await post("/creatingOrder", { ...form, credit: "1234" }, session)
    expect(placed).toMatchObject({ status: 303, location: askedAgain })
    expect(asked()).toEqual(before)
    expect(await dataOf("/creatingOrder.data?credit", placed.session)).toContain(
      enEn.orderReview.creditChanged,
    )
    const agreed = await post("/creatingOrder?credit", form, placed.session)
    expect(agreed.location).toMatch(/^https:/)
    expect(asked()).toEqual([...before, TOTAL])
  })

  test("leads to the gateway if the order uses what it showed, or more", async () => {
    await grant(12_34)
    const session = signedIn({ draft })
    await grant(1_00)
    const placed = await post("/creatingOrder", { ...form, credit: "1234" }, session)
    expect(placed.location).toMatch(/^https:/)
    expect(asked()).toEqual([TOTAL - 13_34])
  })

  test("of an order that credit pays whole names no gateway", async () => {
    await grant(TOTAL)
    const page = await dataOf("/creatingOrder.data", signedIn({ draft }))
    expect(page).toContain(enEn.orderReview.free)
    expect(page).toContain(enEn.orderReview.order)
    expect(page).not.toContain("Continue to payment at")
  })

  test("says until when a plan runs that is ordered today, if credit pays it whole, and paid today otherwise", async () => {
    const [ordered, paid] = [", if you order today", ", if you pay today"]
    await grant(TOTAL - 1)
    const partly = await dataOf("/creatingOrder.data", signedIn({ draft }))
    expect([partly.includes(ordered), partly.includes(paid)]).toEqual([false, true])
    await grant(1)
    const whole = await dataOf("/creatingOrder.data", signedIn({ draft }))
    expect([whole.includes(ordered), whole.includes(paid)]).toEqual([true, false])
  })
})

describe("a service's page", () => {
  const own = (changes: Session = {}) =>
    signedIn({ serviceIds: [bought.serviceId], serviceId: bought.serviceId, ...changes })
  const renewal = {
    intent: "renew",
    key: "renewal-1",
    cycles: "1",
    gateway: "offshore",
  }

  test("names the credit of its customer, and to nobody else", async () => {
    await grant(12_34)
    const page = await dataOf("/success.data", own())
    expect(page.split(fromCredit).length).toBe(2)
    const anonymous = { serviceIds: [bought.serviceId], sealedAt: shop.services.now() }
    expect(await dataOf("/success.data", anonymous)).not.toContain(fromCredit)
  })

  test("names what was paid too much for its order to the browser that bought it, without a sign-in", async () => {
    const { id: orderId, serviceId } = await buyPlan(shop, { key: "overpaid" }, TOTAL + 5_00)
    const browser = { id: "s3", orderId, serviceId, serviceIds: [serviceId], sealedAt: shop.services.now() }
    expect(await dataOf("/success.data", browser)).toContain(fromCredit)
    expect(await dataOf("/success.data", { ...browser, orderId: null })).not.toContain(fromCredit)
    const sent = { ...renewal, serviceid: serviceId, credit: "500" }
    expect((await post("/success", sent, browser)).location).toMatch(/^https:/)
    expect(asked()).toEqual([TOTAL, TOTAL - 5_00])
  })

  test.each([
    ["renewal", "/success", renewal],
    ["connections", "/success", { intent: "upsell", key: "upsell-1", quantity: "1", gateway: "offshore" }],
  ])("asks again before the gateway if its %s showed credit that is gone", async (_, path, form) => {
    await grant(12_34)
    await spendElsewhere()
    const before = asked()
    const sent = { ...form, serviceid: bought.serviceId, credit: "1234" }
    const placed = await post(path, sent, own())
    expect(placed).toMatchObject({ status: 303, location: askedAgain })
    expect(asked()).toEqual(before)
    const review = await dataOf("/creatingOrder.data?credit", placed.session)
    expect(review).toContain(enEn.orderReview.creditChanged)
    const { orderId } = placed.session
    const agreed = { draft: orderId ?? "", total: "0" }
    expect((await post("/creatingOrder?credit", agreed, placed.session)).location).toMatch(/^https:/)
    expect(asked()).toHaveLength(before.length + 1)
  })

  test.each([
    ["this browser", true],
    ["another browser", false],
  ])("takes the credit off a renewal that was ordered from %s before the sign-in", async (_, isOwn) => {
    const sent = { ...renewal, serviceid: bought.serviceId }
    const anonymous = { id: "s2", serviceIds: [bought.serviceId], sealedAt: shop.services.now() }
    const before = await post("/success", sent, anonymous)
    expect(before.location).toMatch(/^https:/)
    const orderId = before.session.orderId ?? null
    await grant(12_34)
    const changes = isOwn ? { orderId } : {}
    const again = { ...sent, key: "renewal-2", credit: "1234" }
    const placed = await post("/success", again, own(changes))
    expect(placed.location).toMatch(/^https:/)
    expect(asked()).toEqual([TOTAL, TOTAL - 12_34])
    const replaced = await shop.services.billing.order(orderId ?? "")
    expect(replaced?.status).toBe(isOwn ? "cancelled" : "awaiting-payment")
    // The same form once more continues its order.
    const continued = await post(
      "/success",
      { ...again, key: "renewal-3" },
      own({ orderId: placed.session.orderId }),
    )
    expect(continued.session.orderId).toBe(placed.session.orderId)
    expect(asked()).toEqual([TOTAL, TOTAL - 12_34])
  })

  test("continues a renewal without the credit while its payment is in progress", async () => {
    const sent = { ...renewal, serviceid: bought.serviceId }
    const anonymous = { id: "s2", serviceIds: [bought.serviceId], sealedAt: shop.services.now() }
    const { session } = await post("/success", sent, anonymous)
    shop.gateway.reports("processing", 0)
    shop.wait(5 * SECOND)
    await grant(12_34)
    const again = { ...sent, key: "renewal-2", credit: "1234" }
    const placed = await post("/success", again, own({ orderId: session.orderId ?? null }))
    expect(placed.session.orderId).toBe(session.orderId)
    expect(asked()).toEqual([TOTAL])
  })

  test("leads to the gateway with what it showed to be left", async () => {
    await grant(12_34)
    const sent = { ...renewal, serviceid: bought.serviceId, credit: "1234" }
    expect((await post("/success", sent, own())).location).toMatch(/^https:/)
    expect(asked()).toEqual([TOTAL - 12_34])
  })

  describe("of a month", () => {
    const toYear = "/success.data?plan=3.annually"
    let month: Session
    beforeEach(async () => {
      const choices = { ...choice, plan: "1", extraConnection: false }
      bought = await buyPlan(shop, { key: "month", choices, agreedTotal: 12_00 })
      month = own()
    })

    test("takes credit off what a change of plan costs", async () => {
      await grant(12_34)
      const page = await dataOf(toYear, month)
      // A year less the month, and less the credit.
      for (const part of ["€67.00", "€12.34", "€54.66", '"credit","1234"'])
        expect(page.replaceAll("\u00a0", " ")).toContain(part)
      expect(page).toContain('"offshore"')
    })

    test("takes it off the price of a change that external billing makes", async () => {
      await grant(12_34)
      const planUpgrades = {
        priceUpgrade: async () => ({ price: money(40_00, "EUR"), isBlocked: false }),
        openUpgrade: async () => null,
      }
      Object.assign(shop.services, { planUpgrades })
      const page = (await dataOf(toYear, month)).replaceAll("\u00a0", " ")
      for (const part of ["€12.34", "€27.66", '"credit","1234"']) expect(page).toContain(part)
    })

    test("takes it off an unpaid change that this browser has ordered without it, and off no other one", async () => {
      await grant(12_34)
      const order = await shop.services.billing.order(bought.id)
      const amount = money(40_00, "EUR")
      const line = { kind: "planChange", productId: "3", name: "Sport", months: 12, amount }
      const open = { ...order, id: "unpaid", lines: [line], total: amount, received: money(0, "EUR") }
      const planUpgrades = {
        priceUpgrade: async () => ({ price: amount, isBlocked: true }),
        openUpgrade: async () => open,
      }
      Object.assign(shop.services, { planUpgrades })
      const page = async (orderId: string) =>
        (await dataOf("/success.data?plan", own({ orderId }))).replaceAll("\u00a0", " ")
      const shown = await page("unpaid")
      for (const part of ["€12.34", "€27.66", '"credit","1234"']) expect(shown).toContain(part)
      expect(await page("another")).not.toContain("€12.34")
    })

    test("changes the plan without a gateway to choose if credit pays it whole", async () => {
      await grant(500_00)
      const page = await dataOf(toYear, month)
      expect(page).toContain(fromCredit)
      expect(page).toContain('"gateways",[]')
    })
  })
})

describe("while no gateway is offered", () => {
  let offering: TestShop["services"]["catalogue"]
  beforeEach(() => {
    offering = shop.services.catalogue
    Object.assign(shop.services, { catalogue: { ...offering, gateways: async () => [] } })
  })

  const pressed = {
    intent: "pay",
    plan: "3",
    email: choice.email ?? "",
    extraConnection: "on",
    gateway: "offshore",
  }

  /** Whether the session's order is paid. */
  async function isPaid({ session }: { session: Session }): Promise<boolean> {
    const order = await shop.services.billing.order(session.orderId ?? "")
    return order !== null && paidStatuses.includes(order.status)
  }

  test("the checkout sends a gateway all the same, and says what can be ordered", async () => {
    const page = await dataOf("/_root.data", signedIn())
    expect(page).toContain('"gateways",[]')
    expect(page).toContain('"offshore"')
    expect(page).not.toContain("checkout.gateway.gone")
    const refused = await post("/?index", pressed, signedIn())
    expect(refused).toMatchObject({ status: 422, session: { draft: null } })
  })

  test("an order that credit pays whole is placed", async () => {
    await grant(TOTAL)
    const chosen = await post("/?index", { ...pressed, shown: String(TOTAL) }, signedIn())
    expect(chosen.location).toBe("/checkout/creatingOrder")
    const { key = "" } = chosen.session.draft ?? {}
    const placed = await post("/creatingOrder", { draft: key, total: String(TOTAL) }, chosen.session)
    expect(placed.location).toBe("/checkout/success")
    expect(await isPaid(placed)).toBe(true)
    expect(asked()).toEqual([])
  })

  test("one that credit pays in part is not", async () => {
    await grant(TOTAL - 1)
    expect((await post("/?index", pressed, signedIn())).status).toBe(422)
  })

  test.each([
    ["a renewal", { intent: "renew", key: "renewal-1", cycles: "1" }],
    ["connections", { intent: "upsell", key: "upsell-1", quantity: "1" }],
  ])("%s for a service is placed if credit pays it whole, and only then", async (_, form) => {
    const own = signedIn({ serviceIds: [bought.serviceId], serviceId: bought.serviceId })
    const sent = { ...form, gateway: "offshore", serviceid: bought.serviceId }
    expect((await post("/success", sent, own)).status).toBe(422)
    await grant(500_00)
    const page = await dataOf("/success.data", own)
    expect(page).toContain(fromCredit)
    const placed = await post("/success", sent, own)
    expect(placed.status).toBe(303)
    expect(await isPaid(placed)).toBe(true)
    expect(asked()).toEqual([])
  })

  test("a change of plan is made if credit pays it whole, and only then", async () => {
    Object.assign(shop.services, { catalogue: offering })
    const choices = { ...choice, plan: "1", extraConnection: false }
    bought = await buyPlan(shop, { key: "month", choices, agreedTotal: 12_00 })
    Object.assign(shop.services, { catalogue: { ...offering, gateways: async () => [] } })
    const own = signedIn({ serviceIds: [bought.serviceId], serviceId: bought.serviceId })
    const at = String(shop.services.now())
    const figures = { product: "3", cycle: "annually", price: "7900", due: "6700", at }
    const sent = {
      intent: "plan-change",
      key: "c",
      gateway: "offshore",
      serviceid: bought.serviceId,
      ...figures,
    }
    expect((await post("/success?plan=3.annually", sent, own)).status).toBe(422)
    await grant(500_00)
    expect(await dataOf("/success.data?plan=3.annually", own)).toContain('"offshore"')
    const placed = await post("/success?plan=3.annually", sent, own)
    expect(await isPaid(placed)).toBe(true)
  })
})
