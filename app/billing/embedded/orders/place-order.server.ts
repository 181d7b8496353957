import { BillingError, type NewOrder } from "~/billing/billing"
import type { ProductKind } from "~/domain/catalogue"
import type { Order } from "~/domain/order"
import type { Quote, QuoteLine } from "~/domain/pricing"
import { atOnce, type Books } from "../books.server"
import { codeKey } from "../catalogue/code-key"
import { takePromotion } from "../promotions.server"
import { settleIfFree } from "./order-moves.server"
import { checkSum, takeNumber, writeBill } from "./order-rows.server"
import { order, orderOfKey } from "./orders.server"
import { tell } from "./timeline.server"

type PlanLine = Extract<QuoteLine, { kind: "plan" }>

/** Order, lines, invoice, pending service and the promotion's use in one transaction: see `Billing.placeOrder`. */
export async function placeOrder(books: Books, wish: NewOrder): Promise<Order> {
  const placed = await orderOfKey(books, wish.key)
  if (placed) return placed
  const plan = planIn(wish.quote)
  const serviceId = books.newId()
  return atOnce(books, async (inside) => {
    const id = await takeNumber(inside, wish, {
      ...{ kind: "plan", service_id: serviceId, affiliate_id: wish.affiliateId },
      promo_key: wish.promoCode === null ? null : codeKey(wish.promoCode),
    })
    if (id) await write(inside, { id, serviceId, plan, wish })
    const written = id ? await order(inside, id) : await orderOfKey(inside, wish.key)
    if (!written) throw new BillingError("unreadable", "The order that was just written is not there")
    return written
  })
}

/** The line of the plan in a quote that adds up. Throws `BillingError` "refused" for any other quote. */
function planIn(quote: Quote): PlanLine {
  checkSum(quote)
  const plans = quote.lines.filter((line) => line.kind === "plan")
  const [plan] = plans
  if (!plan || plans.length > 1) throw new BillingError("refused", "An order is for exactly one plan")
  return plan
}

type Writing = {
  readonly id: string
  readonly serviceId: string
  readonly plan: PlanLine
  readonly wish: NewOrder
}

async function write(books: Books, writing: Writing): Promise<void> {
  const { id, wish } = writing
  const { total } = wish.quote
  await writeBill(books, id, wish)
  await writeService(books, writing)

  const reference = wish.addressAssumed ? `address ${wish.address} assumed` : null
  const placed = { kind: "placed", at: wish.at, amount: total, reference } as const
  const paid = await settleIfFree(books, id, total, wish.at)
  if (wish.promoCode !== null) await takePromotion(books, codeKey(wish.promoCode))
  await tell(books, id, [placed, ...paid])
}

async function writeService(books: Books, { id, serviceId, plan, wish }: Writing): Promise<void> {
  const proxied = wish.quote.lines.some(({ kind }) => kind === "proxyProtection")
  await books.db
    .insertInto("services")
    .values({
      id: serviceId,
      order_id: id,
      client_id: wish.customerId,
      product_id: plan.productId,
      kind: await kindOf(books, plan.productId),
      name: plan.name,
      ...{ cycle: wish.cycle, currency: wish.quote.total.currency },
      status: "Pending",
      username: wish.credentials.username,
      password: wish.credentials.password,
      host: null,
      connections: wish.connections,
      proxy_protection: proxied ? 1 : 0,
      ...{ device_address: null, notes: "" },
      created_at: wish.at,
    })
    .execute()
}

/** What a product is for; one that has left the price list meanwhile was for viewers. */
async function kindOf({ db }: Books, productId: string): Promise<ProductKind> {
  const row = await db.selectFrom("products").select("kind").where("id", "=", productId).executeTakeFirst()
  return row?.kind ?? "plan"
}
