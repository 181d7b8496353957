import { BillingError } from "~/billing/billing"
import type { NewOrder } from "~/billing/new-order"
import type { Order } from "~/domain/order"
import { codeKey } from "../catalogue/normalize-code"
import { takePromotion } from "../catalogue/promotions.server"
import { atOnce, type Books } from "../db/transaction.server"
import { ERASED } from "../privacy/erasure.server"
import { writeService } from "../services/insert-service.server"
import { isHeld, type PlanLine, planIn, takeNumber, writeBill } from "./insert-order.server"
import { settleIfCovered } from "./order-transitions.server"
import { order, orderOfKey } from "./orders.server"
import { tell } from "./timeline.server"

/** Order, lines, invoice, pending service and the promotion's use in one transaction: see `Billing.placeOrder`. */
export async function placeOrder(books: Books, wish: NewOrder): Promise<Order> {
  const placed = await orderOfKey(books, wish.key)
  if (placed) return placed
  const plan = planIn(wish.quote)
  const serviceId = books.newId()
  return atOnce(books, async (inside) => {
    const id = await takeNumber(inside, wish, {
      ...{ kind: wish.kind, service_id: serviceId, affiliate_id: wish.affiliateId },
      promo_key: wish.promoCode === null ? null : codeKey(wish.promoCode),
    })
    if (id) await write(inside, { id, serviceId, plan, wish })
    const written = id ? await order(inside, id) : await orderOfKey(inside, wish.key)
    if (!written) throw new BillingError("unreadable", "The order that was just written is not there")
    return written
  })
}

/** Who was erased after he had been identified would buy without a name: asked again, he is made anew. */
async function checkNamed({ db }: Books, customerId: string): Promise<void> {
  const client = await db
    .selectFrom("clients")
    .select("email")
    .where("id", "=", customerId)
    .executeTakeFirst()
  if (client?.email === ERASED)
    throw new BillingError("unavailable", "The customer has just been erased: the same again will do")
}

type Writing = {
  readonly id: string
  readonly serviceId: string
  readonly plan: PlanLine
  readonly wish: NewOrder
}

async function write(books: Books, writing: Writing): Promise<void> {
  const { id, serviceId, plan, wish } = writing
  const { total } = wish.quote
  await checkNamed(books, wish.customerId)
  const bill = await writeBill(books, id, wish)
  const { kind, connections } = wish
  await writeService(books, {
    ...{ id: serviceId, orderId: id, kind, product: plan, wish, connections, notes: "" },
  })

  const reference = wish.addressAssumed ? `address ${wish.address} assumed` : null
  const placed = { kind: "placed", at: wish.at, amount: total, reference } as const
  const paid = isHeld(wish) ? [] : await settleIfCovered(books, id, { left: bill.left, total, at: wish.at })
  if (wish.promoCode !== null && !isHeld(wish)) await takePromotion(books, codeKey(wish.promoCode))
  await tell(books, id, [placed, ...bill.told, ...paid])
}
