import { BillingError, type NewOrder } from "~/billing/billing"
import type { Order } from "~/domain/order"
import type { Quote, QuoteLine } from "~/domain/pricing"
import { atOnce, type Books } from "../books.server"
import { codeKey } from "../catalogue/code-key"
import { takePromotion } from "../promotions.server"
import type { LineRow } from "../schema/order-rows"
import { carryOut, fulfil } from "./order-moves.server"
import { order, orderOfKey } from "./orders.server"
import { type Telling, tell } from "./timeline.server"

const NUMBERS_TO_TRY = 10

type PlanLine = Extract<QuoteLine, { kind: "plan" }>

/** Order, lines, invoice, pending service and the promotion's use in one transaction: see `Billing.placeOrder`. */
export async function placeOrder(books: Books, wish: NewOrder): Promise<Order> {
  const placed = await orderOfKey(books, wish.key)
  if (placed) return placed
  const plan = planIn(wish.quote)
  return atOnce(books, async (inside) => {
    const id = await takeNumber(inside, wish)
    if (id) await write(inside, { id, plan, wish })
    const written = id ? await order(inside, id) : await orderOfKey(inside, wish.key)
    if (!written) throw new BillingError("unreadable", "The order that was just written is not there")
    return written
  })
}

/** The line of the plan in a quote that adds up. Throws `BillingError` "refused" for any other quote. */
function planIn({ lines, total }: Quote): PlanLine {
  const sum = lines.reduce((reckoned, { amount }) => reckoned + amount.minor, 0)
  const oneCurrency = lines.every(({ amount }) => amount.currency === total.currency)
  const plans = lines.filter((line) => line.kind === "plan")
  const [plan] = plans
  if (sum !== total.minor || total.minor < 0 || !oneCurrency)
    throw new BillingError("refused", "The total is not the sum of its lines")
  if (!plan || plans.length > 1) throw new BillingError("refused", "An order is for exactly one plan")
  return plan
}

/** Writes the order's own row under a free number; null when its key has made an order already. */
async function takeNumber(books: Books, wish: NewOrder): Promise<string | null> {
  for (let tries = 0; tries < NUMBERS_TO_TRY; tries++) {
    const row = await books.db
      .insertInto("orders")
      .values({
        id: wish.number(),
        one_time_key: wish.key,
        client_id: wish.customerId,
        status: "placed",
        promo_key: wish.promoCode === null ? null : codeKey(wish.promoCode),
        gateway: wish.gateway,
        locale: wish.locale,
        address: wish.address,
        placed_at: wish.at,
        deadline: wish.deadline,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst()
    if (row) return row.id
    if (await orderOfKey(books, wish.key)) return null
  }
  throw new BillingError("refused", "No free order number was offered")
}

type Writing = { readonly id: string; readonly plan: PlanLine; readonly wish: NewOrder }

async function write(books: Books, writing: Writing): Promise<void> {
  const { id, wish } = writing
  const { total } = wish.quote
  await books.db
    .insertInto("order_lines")
    .values(wish.quote.lines.map((line, at) => rowOf(id, at, line)))
    .execute()
  await writeInvoice(books, writing)
  await writeService(books, writing)

  const told: Telling[] = [{ kind: "placed", at: wish.at, amount: total }]
  if (total.minor === 0) {
    // Nobody is asked to pay nothing: no gateway takes it, and no news of it would ever come.
    await carryOut(books, id, "paid")
    await fulfil(books, id, wish.at)
    told.push({ kind: "paid", at: wish.at, amount: total })
  }
  if (wish.promoCode !== null) await takePromotion(books, codeKey(wish.promoCode))
  await tell(books, id, told)
}

async function writeInvoice({ db, newId }: Books, { id, wish }: Writing): Promise<void> {
  const { minor, currency } = wish.quote.total
  const invoice = { id: newId(), order_id: id, client_id: wish.customerId, created_at: wish.at, currency }
  await db
    .insertInto("invoices")
    .values({ ...invoice, status: "unpaid", total: minor, received: 0, paid_at: null })
    .execute()
}

async function writeService({ db, newId }: Books, { id, plan, wish }: Writing): Promise<void> {
  const proxied = wish.quote.lines.some(({ kind }) => kind === "proxyProtection")
  await db
    .insertInto("services")
    .values({
      id: newId(),
      order_id: id,
      client_id: wish.customerId,
      product_id: plan.productId,
      name: plan.name,
      status: "Pending",
      username: wish.credentials.username,
      password: wish.credentials.password,
      host: null,
      connections: wish.connections,
      proxy_protection: proxied ? 1 : 0,
      created_at: wish.at,
    })
    .execute()
}

function rowOf(orderId: string, position: number, line: QuoteLine): LineRow {
  return {
    ...{ order_id: orderId, position, kind: line.kind },
    product_id: "productId" in line ? line.productId : null,
    option_id: "optionId" in line ? line.optionId : null,
    choice_id: "choiceId" in line ? line.choiceId : null,
    code: "code" in line ? line.code : null,
    name: "name" in line ? line.name : null,
    amount: line.amount.minor,
    currency: line.amount.currency,
  }
}
