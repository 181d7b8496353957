import { BillingError } from "~/billing/billing"
import type { NewLine } from "~/billing/resellers"
import type { Order } from "~/domain/order"
import { CREDITS_PER_LINE } from "~/domain/reseller-credits"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { fulfil } from "../orders/fulfilment.server"
import { insertInvoice, insertOrderRow, planIn } from "../orders/insert-order.server"
import { applyTransition } from "../orders/order-transitions.server"
import { order, orderByIdempotencyKey } from "../orders/orders.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { writeService } from "../services/insert-service.server"
import { service } from "../services/services.server"
import { balanceInScope } from "./credit-history.server"
import { customerAccount, transfer } from "./credit-ledger.server"

/** A line for a reseller's own customer, paid with credits: see `Resellers.createLine`. */
export async function createLine(books: DbContext, wish: NewLine): Promise<Order> {
  return inTransaction(books, async (inside) => {
    const made = await orderByIdempotencyKey(inside, wish.key)
    if (made) return assertOwnedBy(made, wish)
    await checkReseller(inside, wish)
    const serviceId = inside.newId()
    const row = { kind: "line", service_id: serviceId, promo_key: null, affiliate_id: null } as const
    const id = await insertOrderRow(
      inside,
      { ...wish, creditScope: "none", browser: null, deadline: wish.at },
      row,
    )
    if (id) await write(inside, { id, serviceId, wish })
    const written = id ? await order(inside, id) : await orderByIdempotencyKey(inside, wish.key)
    if (!written) throw new BillingError("unreadable", "The line that was just written is not there")
    return assertOwnedBy(written, wish)
  })
}

/** A key opens nothing but what its owner has made with it. */
function assertOwnedBy(made: Order, { customerId }: NewLine): Order {
  if (made.kind === "line" && made.customerId === customerId) return made
  throw new BillingError("refused", "This key has made another order")
}

async function checkReseller(
  books: DbContext,
  { resellerServiceId, customerId, quote }: NewLine,
): Promise<void> {
  const found = await service(books, resellerServiceId)
  const his = found?.kind === "reseller" && found.customerId === customerId
  if (!his || found.status !== "Active")
    throw new BillingError("refused", "There is no such reseller service")
  if (quote.total.minor !== 0)
    throw new BillingError("refused", "A line is paid with credits, not with money")
}

/**
 * Looked at once the credit has been taken, while the customer's balance is held: of two lines at once, the second sees
 * the first.
 */
async function checkScope(books: DbContext, { customerId, resellerCreditScope }: NewLine): Promise<void> {
  const balance = await balanceInScope(books, { id: customerId, ...resellerCreditScope })
  if (balance < 0) throw new BillingError("refused", "There are not so many credits under this password")
}

type LineOrderInput = { readonly id: string; readonly serviceId: string; readonly wish: NewLine }

async function write(books: DbContext, { id, serviceId, wish }: LineOrderInput): Promise<void> {
  const { at, notes, customerId } = wish
  const product = planIn(wish.quote)
  const bill = await insertInvoice(books, id, { ...wish, creditScope: "none", browser: null, deadline: at })
  await writeService(books, {
    id: serviceId,
    orderId: id,
    kind: "plan",
    product,
    wish,
    connections: 1,
    notes,
  })
  if (wish.holdReason !== null) return appendTimelineEvents(books, id, [{ kind: "placed", at }, ...bill.told])
  await applyTransition(books, id, "paid")
  await fulfil(books, id, at)
  const accounts = { from: customerAccount(customerId), to: "issued" } as const
  await transfer(books, { ...accounts, amount: CREDITS_PER_LINE, reference: `line ${id}`, at })
  await checkScope(books, wish)
  await appendTimelineEvents(books, id, [{ kind: "placed", at }])
}
