import { expect, test } from "vitest"
import { GatewayError } from "~/gateways/gateway"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { decideByOperator } from "./decide-by-operator.server"

const cancel = { event: "aborted", reason: "duplicate", force: false } as const
const paid = { event: "paid", reason: "by bank transfer", force: false } as const

test("polls the gateway first and does not cancel an order that was just paid", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  const decided = await decideByOperator(shop.services, order.id, cancel)
  expect(decided).toMatchObject({ kind: "unchanged", order: { status: "paid", received: { minor: TOTAL } } })
})

test("cancelling closes the payment at the gateway and records author and reason in the timeline", async () => {
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

test("marking an order paid closes its payment and keeps the amount received from gateways", async () => {
  const shop = await openTestShop()
  shop.gateway.canClose()
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", 10_00)
  const decided = await decideByOperator(shop.services, order.id, paid)
  expect(decided).toMatchObject({ kind: "done", order: { status: "paid", received: { minor: 10_00 } } })
  expect(shop.gateway.closed).toHaveLength(1)
  expect((await shop.services.billing.timeline(order.id)).at(-1)).toMatchObject({
    kind: "paid",
    reference: "operator: by bank transfer",
  })
})

test("cancelling a partly paid order credits the received amount", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", 10_00)
  const decided = await decideByOperator(shop.services, order.id, cancel)
  expect(decided).toMatchObject({ kind: "done", order: { credited: { minor: 10_00 } } })
})

test.each([
  ["does not respond", "no-answer", false],
  ["has seen an unconfirmed payment", "under-way", false],
  ["does not respond and the operator forces the decision", "done", true],
] as const)("when the gateway %s, the result is %s", async (trouble, kind, force) => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  if (trouble.startsWith("does")) shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  else shop.gateway.reports("processing", 0)
  expect((await decideByOperator(shop.services, order.id, { ...cancel, force })).kind).toBe(kind)
})
