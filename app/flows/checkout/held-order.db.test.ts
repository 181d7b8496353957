import { expect, test } from "vitest"
import { openPayment } from "~/flows/payments/open-payment.server"
import { buy, request } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { releaseOrder } from "./held-order.server"
import { placeOrder } from "./place-order.server"
import { reviewOrder } from "./review-order.server"

const from = { address: "203.0.113.9" }
/** The session after its order was put on hold, without a newer draft. */
const browser = (orderId: string) => ({
  choices: choice,
  customer: null,
  orderId,
  agreedTotal: null,
  currency: "EUR" as const,
})

test("the screen of a held order shows the review step after the order is released", async () => {
  const { shop, id } = await held()
  expect(await reviewOrder(shop.services, browser(id))).toEqual({ kind: "held", orderId: id, refused: false })
  expect(await releaseOrder(shop.services, id, "operator")).toMatchObject({ kind: "released" })
  expect(await reviewOrder(shop.services, browser(id))).toMatchObject({ kind: "review", error: null })
  const placed = await placeOrder(
    shop.services,
    request({ orderId: id, key: null, agreedTotal: null, ...from }),
  )
  if (placed.kind !== "placed") throw new Error(`The order was not placed: ${placed.kind}`)
  expect(placed.order).toMatchObject({ id, status: "placed" })
  const opening = await openPayment(shop.services, placed.order, { gateway: "offshore", coin: null })
  expect(opening.kind).toBe("opened")
})

test("a released order with a changed price needs the buyer's consent to the new price", async () => {
  const { shop, id } = await held()
  await raisePrices(shop)
  expect(await releaseOrder(shop.services, id, "operator")).toMatchObject({ kind: "buyer-is-asked" })
  expect(
    await openPayment(shop.services, await orderOf(shop, id), { gateway: "offshore", coin: null }),
  ).toEqual({
    kind: "nothing-to-pay",
  })
  const dearer = TOTAL + 100
  expect(await reviewOrder(shop.services, browser(id))).toMatchObject({
    kind: "review",
    error: "price-changed",
    orderId: id,
    quote: { total: { minor: dearer } },
  })
  const agree = (agreedTotal: number) =>
    placeOrder(shop.services, request({ orderId: id, key: null, agreedTotal, ...from }))
  expect(await agree(TOTAL)).toMatchObject({ kind: "price-changed", quote: { total: { minor: dearer } } })
  expect(await agree(dearer)).toMatchObject({
    kind: "placed",
    order: { id, status: "placed", total: { minor: dearer } },
  })
})

test("a released order whose product is gone sends the buyer back to the plans", async () => {
  const { shop, id } = await held()
  const file = await shop.billing.operator.exportCatalogue()
  const products = file.products.filter((it) => it.id !== choice.plan)
  await shop.billing.operator.importCatalogue({ ...file, products })
  expect(await releaseOrder(shop.services, id, "operator")).toMatchObject({ kind: "buyer-is-asked" })
  expect(await reviewOrder(shop.services, browser(id))).toEqual({ kind: "rejected" })
})

test("the screen of a refused order shows the refusal", async () => {
  const { shop, id } = await held()
  await shop.services.billing.refuseOrder(id, { at: shop.services.now(), reference: "operator" })
  expect(await reviewOrder(shop.services, browser(id))).toEqual({ kind: "held", orderId: id, refused: true })
})

test("the payment deadline of a released order starts at its release", async () => {
  const { shop, id } = await held()
  const before = await orderOf(shop, id)
  shop.wait(3_600_000)
  await releaseOrder(shop.services, id, "operator")
  expect((await orderOf(shop, id)).deadline).toBe(before.deadline + 3_600_000)
})

/** An order from a blocked address. */
async function held() {
  const shop = await openTestShop()
  await shop.billing.operator.block({ kind: "address", value: from.address, reason: null, at: 0 })
  const { order } = await buy(shop, from)
  expect(order.status).toBe("fraud")
  return { shop, id: order.id }
}

async function orderOf({ services }: TestShop, id: string) {
  const order = await services.billing.order(id)
  if (!order) throw new Error("Order not found")
  return order
}

/** Raises the yearly price by one. */
async function raisePrices({ billing }: TestShop): Promise<void> {
  const file = await billing.operator.exportCatalogue()
  const products = file.products.map((it) => {
    const { annually, ...others } = it.pricing.EUR ?? {}
    if (it.id !== choice.plan || annually === undefined) return it
    return { ...it, pricing: { ...it.pricing, EUR: { ...others, annually: annually + 100 } } }
  })
  await billing.operator.importCatalogue({ ...file, products })
}
