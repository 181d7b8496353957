import { expect, test } from "vitest"
import { GatewayError } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { decideByOperator } from "./decide-by-operator.server"

const cancel = { event: "aborted", reason: "duplicate", force: false } as const
const paid = { event: "paid", reason: "by bank transfer", force: false } as const

test("an order that was paid a moment ago is not cancelled: the gateway is asked first", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.says("paid", TOTAL)
  const decided = await decideByOperator(shop.services, order.id, cancel)
  expect(decided).toMatchObject({ kind: "unchanged", order: { status: "paid", received: { minor: TOTAL } } })
})

test("a cancelled order's payment is closed at its provider, and the timeline names author and reason", async () => {
  const shop = await openTestShop()
  shop.gateway.canClose()
  const { order } = await buy(shop)
  const decided = await decideByOperator(shop.services, order.id, cancel)
  expect(decided).toMatchObject({ kind: "done", order: { status: "cancelled" } })
  expect(shop.gateway.closed).toEqual([shop.gateway.opened[0]?.attemptId])
  expect((await shop.services.billing.timeline(order.id)).at(-1)).toMatchObject({
    kind: "cancelled",
    reference: "operator: duplicate",
  })
})

test("an order paid by the operator's word leaves no payment open, and says what gateways had brought", async () => {
  const shop = await openTestShop()
  shop.gateway.canClose()
  const { order } = await buy(shop)
  shop.gateway.says("partially-paid", 10_00)
  const decided = await decideByOperator(shop.services, order.id, paid)
  expect(decided).toMatchObject({ kind: "done", order: { status: "paid", received: { minor: 10_00 } } })
  expect(shop.gateway.closed).toHaveLength(1)
  expect((await shop.services.billing.timeline(order.id)).at(-1)).toMatchObject({
    kind: "paid",
    reference: "operator: by bank transfer",
  })
})

test("what has been paid of a cancelled order is its customer's credit", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.says("partially-paid", 10_00)
  const decided = await decideByOperator(shop.services, order.id, cancel)
  expect(decided).toMatchObject({ kind: "done", order: { credited: { minor: 10_00 } } })
})

test.each([
  ["does not answer", "no-answer", false],
  ["has seen money that is not confirmed", "under-way", false],
  ["does not answer, but the operator insists", "done", true],
] as const)("where the gateway %s the outcome is %s", async (trouble, kind, force) => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  if (trouble.startsWith("does")) shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  else shop.gateway.says("processing", 0)
  expect((await decideByOperator(shop.services, order.id, { ...cancel, force })).kind).toBe(kind)
})
