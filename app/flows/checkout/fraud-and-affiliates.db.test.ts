import { describe, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { Click } from "~/billing/fraud-and-affiliates"
import type { PurchasePorts, PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { type BlockKind, ORDER_VELOCITY } from "~/domain/orders/fraud"
import { recordClick } from "~/flows/customers/record-click.server"
import { setPassword } from "~/flows/customers/set-password.server"
import { signIn } from "~/flows/customers/sign-in.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { buy, buyPlan, request } from "../../../tests/fixtures/purchase"
import { choice, NOON, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { placeOrder } from "./place-order.server"
import { resolvePricingContext } from "./resolve-pricing-context.server"

const from = { address: "203.0.113.9" }

test("flags an order from a blocked address and opens no payment for it", async () => {
  const shop = await blocking("address", "203.0.113.9")
  const { order, opening } = await buy(shop, from)
  expect(order.status).toBe("fraud")
  expect(opening).toEqual({ kind: "nothing-to-pay" })
  const timeline = await shop.services.billing.timeline(order.id)
  expect(timeline.at(-1)).toMatchObject({ kind: "flagged", reference: "blocked address 203.0.113.9" })
})

test("a flagged order releases its promo code", async () => {
  const shop = await blocking("network", "203.0.113.0/24")
  const before = await shop.services.billing.promotion("WELCOME10")
  await buy(shop, { ...from, choices: { ...choice, promoCode: "WELCOME10" }, agreedTotal: 89_01 })
  expect(await shop.services.billing.promotion("WELCOME10")).toEqual(before)
})

test("holds a free order from a blocked address", async () => {
  const shop = await blocking("address", "203.0.113.9")
  await sellForNothing(shop)
  const { order } = await buy(shop, { ...from, choices: { ...choice, promoCode: "GIFT" }, agreedTotal: 0 })
  expect(order).toMatchObject({ status: "fraud", total: { minor: 0 } })
  expect(await shop.services.outbox.claim(shop.services.now(), 1, 9)).toEqual([])
})

test("an order from a blocked address is held even if the process dies right after the insert", async () => {
  const shop = await blocking("address", "203.0.113.9")
  await sellForNothing(shop)
  const purchase: PurchaseTransaction = async (work) => {
    await shop.services.purchase(work)
    throw new BillingError("unavailable", "the process has died")
  }
  const free = { ...from, key: "k", choices: { ...choice, promoCode: "GIFT" }, agreedTotal: 0 }
  await expect(placeOrder({ ...shop.services, purchase }, request(free))).rejects.toThrow("has died")
  expect(await shop.services.billing.orderByIdempotencyKey("k")).toMatchObject({ status: "fraud" })
})

describe("external billing, which checks addresses", () => {
  async function ordering(checkAddress: NonNullable<PurchasePorts["checkAddress"]>, ordered = request(from)) {
    const { services } = await openTestShop()
    const asked: string[] = []
    const purchase: PurchaseTransaction = (work) =>
      services.purchase((ports) =>
        work({
          ...ports,
          checkAddress(address) {
            asked.push(`check ${address}`)
            return checkAddress(address)
          },
          identify(visitor) {
            asked.push("identify")
            return ports.identify(visitor)
          },
        }),
      )
    return { services, asked, placed: placeOrder({ ...services, purchase }, ordered) }
  }

  test("is asked before it makes the customer, and what it rejects is held", async () => {
    const { asked, placed } = await ordering(async () => ({ valid: false, reason: "rejected" }))
    expect(await placed).toMatchObject({ order: { status: "fraud" } })
    expect(asked).toEqual(["check 203.0.113.9", "identify"])
  })

  test("makes no customer for an order that it cannot check", async () => {
    const { asked, placed } = await ordering(async () => {
      throw new BillingError("unavailable", "no response")
    })
    await expect(placed).rejects.toThrow("no response")
    expect(asked).toEqual(["check 203.0.113.9"])
  })

  test("is not asked about a visitor whose address is unknown", async () => {
    const { asked, placed } = await ordering(
      async () => ({ valid: false, reason: "rejected" }),
      request({ address: null }),
    )
    expect(await placed).not.toMatchObject({ order: { status: "fraud" } })
    expect(asked).toEqual(["identify"])
  })
})

test("flags an order from a blocked country", async () => {
  const shop = await blocking("country", "KP")
  const pricing = { country: "KP", currency: "EUR" } as const
  expect(await placeOrder(shop.services, request({ pricing }))).toMatchObject({ order: { status: "fraud" } })
})

test("flags no order while the fraud check is disabled", async () => {
  const shop = await blocking("address", "203.0.113.9")
  const services = { ...shop.services, shop: { ...shop.services.shop, fraudCheck: false } }
  expect((await buy({ ...shop, services }, from)).order.status).not.toBe("fraud")
})

test("flags a browser with too many unpaid orders, but not another browser at the same address", async () => {
  const shop = await openTestShop()
  const sameVisitor = { address: "8.8.8.8", browser: "first" }
  for (let at = 0; at < ORDER_VELOCITY.max.browser; at++) {
    expect((await buy(shop, { ...sameVisitor, key: `draft-${at}` })).order.status).not.toBe("fraud")
  }
  expect((await buy(shop, { ...sameVisitor, key: "one-more" })).order.status).toBe("fraud")
  const otherVisitor = {
    ...sameVisitor,
    browser: "second",
    choices: { ...choice, email: "bea@example.test" },
  }
  expect((await buy(shop, { ...otherVisitor, key: "other-visitor" })).order.status).not.toBe("fraud")
  shop.wait(ORDER_VELOCITY.within)
  expect((await buy(shop, { ...sameVisitor, key: "later" })).order.status).not.toBe("fraud")
})

test("exempts an authenticated paying customer from the order limits, but not a sign-up password", async () => {
  const shop = await openTestShop()
  const { customerId } = await buyPlan(shop)
  const sameVisitor = {
    address: "8.8.8.8",
    browser: "first",
    customer: { id: customerId, reach: "account" as const },
  }
  for (let at = 0; at < ORDER_VELOCITY.max.browser; at++)
    await buy(shop, { ...sameVisitor, key: `draft-${at}` })
  expect((await buy(shop, { ...sameVisitor, key: "proven" })).order.status).not.toBe("fraud")
  const signedUp = { ...sameVisitor, customer: { id: customerId, reach: "sign-up" as const } }
  expect((await buy(shop, { ...signedUp, key: "signed-up" })).order.status).toBe("fraud")
})

test("an order without a client address gets the configured fallback address and a timeline note", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop, { address: null })
  const [placed] = await shop.services.billing.timeline(order.id)
  expect(placed).toMatchObject({ kind: "placed", reference: "address 0.0.0.0 assumed" })
  expect((await openPayment(shop.services, order, { gateway: "offshore", coin: null })).kind).toBe("opened")
})

test.each([
  ["GB", {}, "GBP"],
  ["DE", {}, "EUR"],
  ["XX", {}, "EUR"],
  ["GB", { customers: "EUR" as const }, "EUR"],
  ["GB", { customers: "GBP" as const, chosen: "EUR" as const }, "EUR"],
  ["DE", { customers: "GBP" as const }, "GBP"],
])("resolves the currency for country %s with %o to %s", async (country, known, currency) => {
  const { services } = await openTestShop()
  const visitor = { country, chosen: null, customers: null, ...known }
  expect(await resolvePricingContext(services, visitor)).toEqual({ country, currency })
})

test("a visitor from the United Kingdom gets the shop's currency when no plan has a GBP price", async () => {
  const { services } = await openTestShop()
  const catalogue = { ...services.catalogue, plans: async () => [] }
  const visitor = { country: "GB", chosen: null, customers: null }
  expect(await resolvePricingContext({ ...services, catalogue }, visitor)).toMatchObject({ currency: "EUR" })
})

test("a customer signs in with the correct password", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  await shop.services.billing.setPassword(
    { id: order.customerId, reach: "account" },
    "correct horse battery",
    () => NOON,
  )
  const proof = { email: "Ana@Example.test", password: "correct horse battery", address: null, visitor: null }
  expect(await signIn(shop.services, proof)).toMatchObject({
    kind: "proven",
    customer: { id: order.customerId },
  })
})

test("only an authenticated customer sets a password, and no one while unsigned e-mail links are trusted", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const customer = { id: order.customerId, email: choice.email, reach: "account" as const }
  const himself = { customer, proof: { how: "link", at: shop.services.now() } as const }
  const who = { address: null, visitor: null, authenticated: true }
  const trusting = { ...shop.services, shop: { ...shop.services.shop, trustEmailLinks: true } }
  expect(
    await setPassword(
      shop.services,
      { ...himself, customer: null },
      { password: "long enough for all", who },
    ),
  ).toEqual({
    kind: "not-permitted",
  })
  expect(await setPassword(trusting, himself, { password: "long enough for all", who })).toEqual({
    kind: "not-permitted",
  })
  expect(await setPassword(shop.services, himself, { password: "long enough for all", who })).toEqual({
    kind: "done",
  })
  const proof = { email: "ana@example.test", password: "long enough for all", address: null, visitor: null }
  expect((await signIn(trusting, proof)).kind).toBe("proven")
})

test.each([
  ["a wrong password", "ana@example.test"],
  ["an unknown e-mail", "nobody@example.test"],
])(
  "signing in with %s returns the same result and is rate-limited",
  async (_, email) => {
    const shop = await openTestShop()
    await buy(shop)
    const proof = { email, password: "wrong horse", address: "93.184.216.34", visitor: null }
    const responses = []
    for (let attempts = 0; attempts < 8; attempts++) responses.push((await signIn(shop.services, proof)).kind)
    expect(responses).toEqual([...Array(6).fill("wrong"), "too-many", "too-many"])
  },
  30_000,
)

test("records the page that an affiliate click came from without its query, and in 300 characters at most", async () => {
  const shop = await openTestShop()
  const recorded: unknown[] = []
  const billing = {
    ...shop.services.billing,
    recordClick: async (click: Click) => recorded.push(click.referer) > 0,
  }
  const click = { affiliateId: "7", address: null, userAgent: null }
  const long = `https://blog.test/${"a".repeat(300)}`
  for (const referer of [
    "https://blog.test/tv?reader=ana",
    "android-app://blog.test/",
    "nonsense",
    long,
    null,
  ]) {
    await recordClick({ ...shop.services, billing }, { ...click, referer })
  }
  expect(recorded).toEqual(["https://blog.test/tv", null, null, long.slice(0, 300), null])
})

test("an affiliate click that cannot be recorded is logged and does not fail the page", async () => {
  const shop = await openTestShop()
  const billing = {
    ...shop.services.billing,
    recordClick: async () => {
      throw new BillingError("unavailable", "no answer")
    },
  }
  const click = { affiliateId: "7", address: null, userAgent: null, referer: null }
  await recordClick({ ...shop.services, billing }, click)
  expect(shop.log.at(-1)?.msg).toBe("affiliate click not recorded")
})

/** A promotion of 100 percent. */
async function sellForNothing(shop: TestShop): Promise<void> {
  const file = await shop.billing.operator.exportCatalogue()
  const discount = {
    code: "GIFT",
    productIds: ["3"],
    startsOn: null,
    endsOn: null,
    maxUses: null,
    discount: { kind: "percentage", basisPoints: 10_000 } as const,
  }
  await shop.billing.operator.importCatalogue({ ...file, promotions: [...file.promotions, discount] })
}

async function blocking(kind: BlockKind, value: string): Promise<TestShop> {
  const shop = await openTestShop()
  await shop.billing.operator.block({ kind, value, reason: null, at: 0 })
  return shop
}
