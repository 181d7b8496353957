import { BillingError } from "~/billing/billing"
import type { NewOrder } from "~/billing/new-order"
import type { Order } from "~/domain/order"
import { normalizeCode } from "../catalogue/normalize-code"
import { redeemPromotion } from "../catalogue/promotions.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { ERASED } from "../privacy/erasure.server"
import { writeService } from "../services/insert-service.server"
import { insertInvoice, insertOrderRow, isHeld, type PlanLine, planIn } from "./insert-order.server"
import { settleIfCovered } from "./order-transitions.server"
import { order, orderByIdempotencyKey } from "./orders.server"
import { appendTimelineEvents } from "./timeline.server"

/** Order, lines, invoice, pending service and the promotion's use in one transaction: see `Billing.placeOrder`. */
export async function placeOrder(books: DbContext, wish: NewOrder): Promise<Order> {
  const placed = await orderByIdempotencyKey(books, wish.key)
  if (placed) return placed
  const plan = planIn(wish.quote)
  const serviceId = books.newId()
  return inTransaction(books, async (inside) => {
    const id = await insertOrderRow(inside, wish, {
      ...{ kind: wish.kind, service_id: serviceId, affiliate_id: wish.affiliateId },
      promo_key: wish.promoCode === null ? null : normalizeCode(wish.promoCode),
    })
    if (id) await write(inside, { id, serviceId, plan, wish })
    const written = id ? await order(inside, id) : await orderByIdempotencyKey(inside, wish.key)
    if (!written) throw new BillingError("unreadable", "The order that was just written is not there")
    return written
  })
}

/** Who was erased after he had been identified would buy without a name: asked again, he is made anew. */
async function checkNamed({ db }: DbContext, customerId: string): Promise<void> {
  const client = await db
    .selectFrom("clients")
    .select("email")
    .where("id", "=", customerId)
    .executeTakeFirst()
  if (client?.email === ERASED)
    throw new BillingError("unavailable", "The customer has just been erased: the same again will do")
}

type OrderInput = {
  readonly id: string
  readonly serviceId: string
  readonly plan: PlanLine
  readonly wish: NewOrder
}

async function write(books: DbContext, writing: OrderInput): Promise<void> {
  const { id, serviceId, plan, wish } = writing
  const { total } = wish.quote
  await checkNamed(books, wish.customerId)
  const bill = await insertInvoice(books, id, wish)
  const { kind, connections } = wish
  await writeService(books, {
    ...{ id: serviceId, orderId: id, kind, product: plan, wish, connections, notes: "" },
  })

  const reference = wish.isFallbackAddress ? `address ${wish.address} assumed` : null
  const placed = { kind: "placed", at: wish.at, amount: total, reference } as const
  const paid = isHeld(wish) ? [] : await settleIfCovered(books, id, { left: bill.left, total, at: wish.at })
  if (wish.promoCode !== null && !isHeld(wish)) await redeemPromotion(books, normalizeCode(wish.promoCode))
  await appendTimelineEvents(books, id, [placed, ...bill.told, ...paid])
}
