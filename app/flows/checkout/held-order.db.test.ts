import { expect, test } from "vitest"
import type { Product } from "~/domain/catalogue/catalogue"
import { taxTotal } from "~/domain/orders/order-tax"
import { STANDARD } from "~/domain/tax/tax"
import { openPayment } from "~/flows/payments/open-payment.server"
import { documentPolicy as documents } from "../../../tests/fixtures/document-policy"
import { buy, buyPlan, orderConnection, request } from "../../../tests/fixtures/purchase"
import { germanTax } from "../../../tests/fixtures/tax-rules"
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
  expect(await reviewOrder(shop.services, browser(id))).toMatchObject({
    kind: "held",
    orderId: id,
    refused: false,
  })
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
  const dearer = TOTAL + 200
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
  expect(await reviewOrder(shop.services, browser(id))).toMatchObject({
    kind: "held",
    orderId: id,
    refused: true,
  })
})

test("the payment deadline of a released order starts at its release", async () => {
  const { shop, id } = await held()
  const before = await orderOf(shop, id)
  shop.wait(3_600_000)
  await releaseOrder(shop.services, id, "operator")
  expect((await orderOf(shop, id)).deadline).toBe(before.deadline + 3_600_000)
})

test("connections that are ordered again at another price keep the rate of their plan", async () => {
  const day = { from: "2020-01-01", until: null }
  const reduced = { country: "MA", category: "reduced", basisPoints: 700, ...day }
  const shop = await openTestShop({
    tax: {
      ...germanTax,
      registrations: [{ country: "MA", number: "MA1", ...day }],
      rates: [reduced, { ...reduced, category: STANDARD, basisPoints: 2_000 }],
      categories: { [choice.plan ?? ""]: "reduced" },
    },
  })
  const { serviceId, customerId } = await buyPlan(shop)
  await shop.billing.operator.block({ kind: "customer", value: customerId, reason: null, at: 0 })
  const held = await orderConnection(shop, serviceId)
  expect(held.status).toBe("fraud")
  expect(held.tax?.lines).toMatchObject([{ basisPoints: 700 }])
  await raisePrices(shop)
  expect(await releaseOrder(shop.services, held.id, "operator")).toMatchObject({ kind: "buyer-is-asked" })
  const agreedTotal = held.total.minor + 100
  const again = await placeOrder(shop.services, request({ orderId: held.id, key: null, agreedTotal }))
  if (again.kind !== "placed") throw new Error(again.kind)
  expect(again.order.tax?.lines).toMatchObject([{ basisPoints: 700, gross: agreedTotal }])
})

test("an order that was free when it was held is taxed at the price that its buyer accepts", async () => {
  const day = { from: "2020-01-01", until: null }
  const shop = await openTestShop({
    documents,
    tax: {
      ...germanTax,
      registrations: [{ country: "MA", number: "MA1", ...day }],
      rates: [{ country: "MA", category: STANDARD, basisPoints: 2_000, ...day }],
    },
  })
  const file = await shop.billing.operator.exportCatalogue()
  const whole = { discount: { kind: "percentage", basisPoints: 10_000 }, maxUses: null } as const
  const free = { code: "FREE", productIds: [choice.plan ?? ""], startsOn: null, endsOn: null, ...whole }
  await shop.billing.operator.importCatalogue({ ...file, promotions: [free] })
  await shop.billing.operator.block({ kind: "address", value: from.address, reason: null, at: 0 })
  const { order: held } = await buy(shop, {
    ...from,
    choices: { ...choice, promoCode: "FREE" },
    agreedTotal: 0,
  })
  expect(held).toMatchObject({ status: "fraud", total: { minor: 0 } })
  await shop.billing.operator.importCatalogue({ ...file, promotions: [{ ...free, endsOn: "2020-01-01" }] })
  expect(await releaseOrder(shop.services, held.id, "operator")).toMatchObject({ kind: "buyer-is-asked" })
  const again = await placeOrder(
    shop.services,
    request({ orderId: held.id, key: null, agreedTotal: TOTAL, ...from }),
  )
  if (again.kind !== "placed") throw new Error(again.kind)
  const { tax } = again.order
  expect(tax).toMatchObject({ place: { kind: "taxed", country: "MA" }, buyer: { located: "MA" } })
  expect(tax && taxTotal(tax).gross).toBe(TOTAL)
  await shop.billing.billing.applyOrderEvent(held.id, "paid", shop.services.now(), "bank")
  expect(await shop.billing.documents.taxDocumentsOf(held.id)).toMatchObject([{ kind: "invoice" }])
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

/** Raises the yearly price of the plan and of a connection by one. */
async function raisePrices({ billing }: TestShop): Promise<void> {
  const file = await billing.operator.exportCatalogue()
  const raised = ({ EUR: { annually, ...others } = {}, ...rest }: Product["pricing"]) => ({
    ...rest,
    EUR: { ...others, ...(annually !== undefined && { annually: annually + 100 }) },
  })
  const products = file.products.map((it) => {
    if (it.id !== choice.plan) return it
    const options = it.options.map((option) => ({
      ...option,
      choices: option.choices.map((one) => ({ ...one, pricing: raised(one.pricing) })),
    }))
    return { ...it, pricing: raised(it.pricing), options }
  })
  await billing.operator.importCatalogue({ ...file, products })
}
