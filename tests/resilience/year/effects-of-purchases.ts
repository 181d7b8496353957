import { expect } from "vitest"
import type { OrderTax } from "~/domain/orders/order-tax"
import type { PriceMode } from "~/domain/tax/tax"
import { listedPrice, priceWithoutTax } from "./buyers-of-purchases"
import { type Checked, heldBy } from "./money-of-purchases"
import { type Compared, justPaid, justPlaced, type StoredOrder, type StoredSales } from "./stored-sales"

/** What was paid in between has done what it was for, or became account credit for a reason; renewals that were placed have their price. */
export async function expectEffects(checked: Checked, compared: Compared): Promise<void> {
  for (const order of justPaid(compared)) await expectEffect(checked, order, compared)
  for (const order of justPlaced(compared)) expectPrice(order, compared)
}

async function expectEffect(checked: Checked, order: StoredOrder, compared: Compared): Promise<void> {
  const { before, after, begun, deed } = compared
  const applied = appliedOf(order, after)
  const stored = (await checked.services.billing.order(order.id)) ?? expect.fail("no order")
  expect([deed, order.kind, await heldBy(checked, stored)]).toEqual([deed, order.kind, applied])
  const isOwed = applied < order.total && order.kind !== "topup" && isAsOrdered(order, before, begun)
  expect(isOwed, `${order.kind} ${order.id} became account credit for no reason (${deed})`).toBe(false)
}

/** The part of an order that has done what it was for, in minor units. */
function appliedOf({ id, kind, total }: StoredOrder, { items, upsells, changes }: StoredSales): number {
  const isApplied = (it: { order_id: string; applied_at: number | null }) =>
    it.order_id === id && it.applied_at !== null
  if (kind === "upsell") return upsells.some(isApplied) ? total : 0
  if (kind === "plan-change") return changes.some(isApplied) ? total : 0
  if (kind === "renewal")
    return items
      .filter((it) => it.order_id === id && it.paid_until !== null)
      .reduce((sum, { amount }) => sum + amount, 0)
  return kind === "topup" ? 0 : total
}

const reasons = [
  "renewed",
  "plan-changed",
  "plan-chosen",
  "plan-kept",
  "connections",
  "terminated",
  "suspended",
  "extended",
]

/** Whether an order was placed before, and nothing has happened to its services since that may be a reason not to apply. */
function isAsOrdered(order: StoredOrder, sales: StoredSales, at: number): boolean {
  if (!sales.orders.some(({ id }) => id === order.id)) return false
  return servicesOf(order, sales).every((id) => {
    const service = sales.services.find((it) => it.id === id)
    const isPaid = service?.status === "Active" && (service.paid_until ?? 0) > at
    const since = sales.events.filter((it) => it.service_id === id && it.at >= order.placed_at)
    return isPaid && !since.some(({ kind }) => reasons.includes(kind))
  })
}

function servicesOf({ id, kind, service_id }: StoredOrder, { items }: StoredSales) {
  return kind === "renewal"
    ? items.filter((it) => it.order_id === id).map((it) => it.service_id)
    : [service_id]
}

/** What a cycle costs, and each connection beyond the first. */
const prices: Readonly<Record<string, readonly [number, number]>> = {
  "1": [1_001, 203],
  "2": [1_999, 307],
  "3": [7_999, 1_999],
}

/** A renewal costs what its plan does with the connections of the service, less a discount that lasts. Lines cost a credit. */
function expectPrice(
  { id, total, tax, placed_at }: StoredOrder,
  { after: sales, prices: mode }: Compared,
): void {
  if (total === 0) return
  const { place }: Pick<OrderTax, "place"> = JSON.parse(tax ?? "{}")
  const items = sales.items.filter((it) => it.order_id === id)
  for (const { service_id, position, terms, amount, ...item } of items) {
    const service = sales.services.find((it) => it.id === service_id) ?? expect.fail("no service")
    const line = sales.lines.find((it) => it.order_id === item.order_id && it.position === position)
    const productId = line?.product_id ?? ""
    const [price = 0, more = 0] = (prices[productId] ?? []).map((it) => listedPrice(it, mode, place.country))
    const { discount, left } = discountOf(service, productId, { sales, at: placed_at, mode })
    const listed = terms * (price + more * (service.connections - 1)) - Math.min(terms, left) * discount
    const expected = place.kind === "reverse-charge" ? priceWithoutTax(listed, place.country) : listed
    expect([productId, service.connections, terms, amount]).toEqual([
      productId,
      service.connections,
      terms,
      expected,
    ])
  }
}

/** Renewals that a promotion covers. */
const covered: Readonly<Record<string, number>> = { LASTING: Number.POSITIVE_INFINITY, TWICE: 2 }

type Discounted = { readonly sales: StoredSales; readonly at: number; readonly mode: PriceMode }

/** The discount of the first term of a service, and how many further terms have it at a time: until its plan is changed. */
function discountOf(
  { id, order_id }: StoredSales["services"][number],
  productId: string,
  { sales: { orders, lines, events, items }, at, mode }: Discounted,
): { readonly discount: number; readonly left: number } {
  const first = orders.find((it) => it.id === order_id)
  const own = lines.filter((it) => it.order_id === order_id)
  const isFirstPlan = own.some(({ kind, product_id }) => kind === "plan" && product_id === productId)
  const isChanged = events.some((it) => it.service_id === id && it.kind === "plan-changed" && it.at <= at)
  const renewals = covered[first?.promo_key?.toUpperCase() ?? ""] ?? 0
  if (renewals === 0 || !isFirstPlan || isChanged) return { discount: 0, left: 0 }
  const { place }: Pick<OrderTax, "place"> = JSON.parse(first?.tax ?? "{}")
  const [price = 0] = (prices[productId] ?? []).map((it) => listedPrice(it, mode, place.country))
  const used = items.filter(
    (it) => it.service_id === id && it.paid_until !== null && (it.applied_at ?? at) < at,
  )
  const left = renewals - used.reduce((sum, { terms }) => sum + terms, 0)
  return { discount: Math.floor((price * 1_500 + 5_000) / 10_000), left: Math.max(0, left) }
}
