import { BillingError } from "~/billing/billing"
import type { NewOrder } from "~/billing/orders/new-order"
import type { Order } from "~/domain/orders/order"
import { type PromotionKeys, promotionKeys, redeemPromotion } from "../catalogue/promotions.server"
import { ERASED } from "../customers/erased-email.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { settleIfCovered } from "../fulfilment/order-transitions.server"
import { order, orderByIdempotencyKey } from "../orders/orders.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { resellerAccounts } from "../reseller-credits/reseller-accounts.server"
import { writeService } from "../services/insert-service.server"
import { fullPrice, renewalPrice } from "../services/renewal-terms.server"
import { insertInvoice, insertOrderRow, isHeld, type PlanLine, planIn, scopeRow } from "./insert-order.server"
import { claimTrial } from "./trial-claims.server"

/** Places an order, its service and its promotion in one transaction: see `Billing.placeOrder`. */
export async function placeOrder(ctx: DbContext, request: NewOrder): Promise<Order> {
  const newServiceId = ctx.newId()
  return inTransaction(ctx, async (tx) => {
    const account = await accountForCredits(tx, request)
    const serviceId = account ?? newServiceId
    const promotion = request.promoCode === null ? null : await promotionKeys(tx, request.promoCode)
    const kind = account === null ? request.kind : "reseller-credits"
    const id = await insertOrderRow(tx, request, { ...particulars(request, serviceId, promotion), kind })
    // A repeated request gets its order, whatever its quote is.
    if (!id) return found(await orderByIdempotencyKey(tx, request.key))
    const plan = planIn(request.quote)
    await insertPurchase(tx, { id, serviceId, plan, promotion, request, createsService: account === null })
    const written = found(await order(tx, id))
    checkNamed(written)
    return written
  })
}

function particulars(request: NewOrder, serviceId: string, promotion: PromotionKeys | null) {
  return {
    service_id: serviceId,
    affiliate_id: request.affiliateId,
    promo_key: promotion?.key ?? null,
    trial_hours: request.trial?.hours ?? null,
    is_uncounted: request.isUncounted ? 1 : null,
    credits: request.credits ?? null,
    adds_credits: request.addsCredits && request.credits ? 1 : null,
  }
}

/** The account that an order adds credits to. Null: the order opens one, as external billing does for each of its orders. */
async function accountForCredits(
  ctx: DbContext,
  { kind, customerId, accessScope, credits = 0, addsCredits = false }: NewOrder,
): Promise<string | null> {
  if (kind !== "reseller" || !ctx.terms || !addsCredits || credits === 0) return null
  const [account = null] = await resellerAccounts(ctx, { client_id: customerId, ...scopeRow(accessScope) })
  return account
}

function found(placed: Order | null): Order {
  if (!placed) throw new BillingError("unreadable", "Order not found after insert")
  return placed
}

/**
 * Throws `BillingError` "unavailable" if the customer was erased after `identify`: the order would have no e-mail. The
 * retry creates the customer again.
 */
function checkNamed({ email }: Order): void {
  if (email === ERASED) throw new BillingError("unavailable", "Customer was erased in the meantime: retry")
}

type OrderInput = {
  readonly id: string
  readonly serviceId: string
  readonly plan: PlanLine
  readonly promotion: PromotionKeys | null
  readonly request: NewOrder
  readonly createsService: boolean
}

async function insertPurchase(ctx: DbContext, writing: OrderInput): Promise<void> {
  const { id, promotion, request } = writing
  const { total } = request.quote
  if (request.trial) await claimTrial(ctx, id, { ...request, trial: request.trial })
  const bill = await insertInvoice(ctx, id, request)
  if (writing.createsService) await insertService(ctx, writing)

  const reference = request.isFallbackAddress ? `address ${request.address} assumed` : null
  const placed = { kind: "placed", at: request.at, amount: total, reference } as const
  const paid = isHeld(request)
    ? []
    : await settleIfCovered(ctx, id, { left: bill.left, total, at: request.at })
  if (promotion !== null && !isHeld(request))
    await redeemPromotion(ctx, { ...promotion, customerId: request.customerId, orderId: id })
  await appendTimelineEvents(ctx, id, [placed, ...bill.events, ...paid])
}

async function insertService(
  ctx: DbContext,
  { id, serviceId, plan, promotion, request }: OrderInput,
): Promise<void> {
  const { kind, connections } = request
  await writeService(ctx, {
    id: serviceId,
    orderId: id,
    kind,
    product: plan,
    request,
    connections,
    notes: "",
    // After a free trial each term costs what the plan does.
    renewal: request.trial
      ? fullPrice(request.trial.price)
      : await renewalPrice(ctx, { quote: request.quote, promoKey: promotion?.key ?? null }),
  })
}
