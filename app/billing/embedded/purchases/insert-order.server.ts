import { BillingError } from "~/billing/billing"
import type { NewOrder, NewUpsell } from "~/billing/orders/new-order"
import type { Quote, QuoteLine } from "~/domain/catalogue/pricing"
import type { AccessScope } from "~/domain/customers/customer"
import { money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import { ownNetwork } from "~/http/ip-address.server"
import { keepBusinessOf } from "../customers/businesses.server"
import type { LineRow, OrderRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueNumberCheck } from "../documents/number-checks.server"
import { spendAccountCredit } from "../ledger/customer-credit.server"
import { orderByIdempotencyKey } from "../orders/orders.server"
import type { NewTimelineEvent } from "../orders/timeline.server"
import { taxOfNewOrder } from "../tax/tax-of-order.server"

const NUMBERS_TO_TRY = 10

/** Input that orders of all kinds have in common. */
export type InvoiceInput = Pick<NewUpsell, keyof NewUpsell & keyof NewOrder>

/** What differs by kind. A promotion and an affiliate are those of a new service. */
type Particulars = Pick<OrderRow, "service_id"> & {
  kind: OrderKind
  promo_key?: string | null
  affiliate_id?: string | null
  trial_hours?: number | null
  is_uncounted?: number | null
  credits?: number | null
  adds_credits?: number | null
  external_tax?: string | null
}

/** Throws `BillingError` "refused" if the total is negative or not the sum of the lines, or if currencies differ. */
export function assertTotalMatchesLines({ lines, total }: Quote): void {
  const sum = lines.reduce((reckoned, { amount }) => reckoned + amount.minor, 0)
  const oneCurrency = lines.every(({ amount }) => amount.currency === total.currency)
  if (sum !== total.minor || total.minor < 0 || !oneCurrency)
    throw new BillingError("refused", "Invalid quote: total is not the sum of the lines")
}

export type PlanLine = Extract<QuoteLine, { kind: "plan" }>

/** The plan line of a valid quote. Throws `BillingError` "refused" for an invalid one (`assertTotalMatchesLines`). */
export function planIn(quote: Quote): PlanLine {
  assertTotalMatchesLines(quote)
  const plans = quote.lines.filter((line) => line.kind === "plan")
  const [plan] = plans
  if (!plan || plans.length > 1)
    throw new BillingError("refused", "Invalid quote: exactly one plan is required")
  return plan
}

export function isHeld({ holdReason }: Pick<InvoiceInput, "holdReason">): boolean {
  return holdReason !== null
}

/**
 * Inserts the order row under an unused id; null if its idempotency key was used before. Throws `BillingError`
 * "refused" after `NUMBERS_TO_TRY` ids in use.
 */
export async function insertOrderRow(
  ctx: DbContext,
  request: InvoiceInput,
  row: Particulars,
): Promise<string | null> {
  const tax = await taxOfNewOrder(ctx, { ...request, serviceId: row.service_id })
  for (let tries = 0; tries < NUMBERS_TO_TRY; tries++) {
    const written = await ctx.db
      .insertInto("orders")
      .values(orderRow(request, { ...row, tax }))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst()
    if (written) {
      await keepBusinessOf(ctx, request)
      await enqueueNumberCheck(ctx, written.id, request)
      return written.id
    }
    if (await orderByIdempotencyKey(ctx, request.key)) return null
  }
  throw new BillingError("refused", "Cannot place order: all generated ids are in use")
}

function orderRow(request: InvoiceInput, row: Particulars & Pick<OrderRow, "tax">): OrderRow {
  return {
    promo_key: null,
    affiliate_id: null,
    trial_hours: null,
    is_uncounted: null,
    credits: null,
    adds_credits: null,
    external_tax: null,
    tax_corrected_at: null,
    ...row,
    sale_terms: request.saleTerms ? JSON.stringify(request.saleTerms) : null,
    id: request.number(),
    one_time_key: request.key,
    client_id: request.customerId,
    ...scopeRow(request.accessScope),
    status: isHeld(request) ? "fraud" : "placed",
    gateway: request.gateway,
    locale: request.locale,
    address: request.address,
    network: ownNetwork(request.address),
    browser: request.browser,
    decision: null,
    credit_scope: request.accountCreditScope,
    placed_at: request.at,
    deadline: request.deadline,
  }
}

/** Columns of the access scope. `proven` is 1 for a sign-up password. */
export function scopeRow(
  scope: AccessScope | null,
): Pick<OrderRow, "proven" | "access_scope" | "password_id"> {
  if (scope === null) return { proven: 0, access_scope: null, password_id: null }
  if (scope.reach === "account") return { proven: 0, access_scope: "account", password_id: null }
  return { proven: 1, access_scope: "sign-up", password_id: scope.passwordId ?? null }
}

/**
 * Inserts the lines of an order and its invoice, and pays the invoice from the account credit in the credit scope. An
 * order on hold gets a cancelled invoice and uses no credit. Returns the amount left to pay in minor units and the
 * timeline events.
 */
export async function insertInvoice(
  ctx: DbContext,
  orderId: string,
  request: InvoiceInput,
): Promise<{ left: number; events: NewTimelineEvent[] }> {
  const { db, newId } = ctx
  const { lines, total } = request.quote
  await writeLines(ctx, orderId, lines)
  const row = { id: newId(), order_id: orderId, client_id: request.customerId, created_at: request.at }
  const invoice = await db
    .insertInto("invoices")
    .values({
      ...row,
      status: isHeld(request) ? "cancelled" : "unpaid",
      total: total.minor,
      currency: total.currency,
      received: 0,
      credited: 0,
      paid_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (request.holdReason !== null) {
    return { left: total.minor, events: [{ kind: "flagged", at: request.at, reference: request.holdReason }] }
  }
  const used = await spendAccountCredit(ctx, invoice, { scope: request.accountCreditScope, at: request.at })
  const amount = money(used, total.currency)
  return {
    left: total.minor - used,
    events: used > 0 ? [{ kind: "credit-used", at: request.at, amount }] : [],
  }
}

export async function writeLines(
  { db }: DbContext,
  orderId: string,
  lines: readonly QuoteLine[],
): Promise<void> {
  await db
    .insertInto("order_lines")
    .values(lines.map((line, at) => rowOf(orderId, at, line)))
    .execute()
}

/** Connections, or the months of a renewal or of another plan. */
function quantityOf(line: QuoteLine): number | null {
  if (line.kind === "moreConnections") return line.quantity
  return line.kind === "renewal" || line.kind === "planChange" ? line.months : null
}

function rowOf(orderId: string, position: number, line: QuoteLine): LineRow {
  return {
    order_id: orderId,
    position,
    kind: line.kind,
    product_id: "productId" in line ? line.productId : null,
    option_id: "optionId" in line ? line.optionId : null,
    choice_id: "choiceId" in line ? line.choiceId : null,
    code: "code" in line ? line.code : null,
    name: "name" in line ? line.name : null,
    quantity: quantityOf(line),
    listed: line.listed?.minor ?? null,
    amount: line.amount.minor,
    currency: line.amount.currency,
  }
}
