import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type { LineCancellation, LineExtension } from "~/billing/resellers"
import { HOUR, type Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  type RenewableService,
  type RenewalLine,
  renewable,
  renewalLine,
  renewalQuote,
} from "~/domain/services/renewal"
import {
  CREDITS_PER_LINE,
  isCancellable,
  isCreditOwed,
  type LineCancelled,
  type LineOnCredit,
} from "~/domain/services/reseller-credits"
import type { Service } from "~/domain/services/service"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { fulfil } from "../fulfilment/fulfilment.server"
import { applyTransition } from "../fulfilment/order-transitions.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { insertInvoice, insertOrderRow } from "../purchases/insert-order.server"
import { placeOnce } from "../purchases/place-once.server"
import { insertRenewalItems } from "../purchases/place-renewal.server"
import { customerAccount, transfer } from "../reseller-credits/credit-ledger.server"
import { creditsOwed } from "../reseller-credits/owed-credits.server"
import { isEndedByOperator } from "../services/renewal-terms.server"
import { terminate } from "../services/service-state.server"
import { service, serviceOf } from "../services/services.server"
import { checkResellerService, checkScope, remindOfCredits } from "./create-line.server"

/** Adds a billing cycle to lines, paid with reseller credits: see `Resellers.extendLines`. */
export async function extendLines(ctx: DbContext, request: LineExtension): Promise<Order> {
  return inTransaction(ctx, (tx) =>
    placeOnce(tx, request, { kind: "renewal", insert: () => insert(tx, request) }),
  )
}

async function insert(tx: DbContext, request: LineExtension): Promise<string | null> {
  await checkResellerService(tx, request)
  return placeExtension(tx, request, await renewalLinesOf(tx, request))
}

/** One line of the order for each service, at no price. Throws if a credit cannot extend one of them. */
async function renewalLinesOf(
  tx: DbContext,
  { lineIds, customerId }: LineExtension,
): Promise<readonly RenewalLine[]> {
  if (lineIds.length === 0 || new Set(lineIds).size !== lineIds.length)
    throw new BillingError("refused", "Each line must be named once")
  const found = await linesOnCredit(tx, { customerId, ids: lineIds })
  return lineIds.map((id) => {
    const line = found.get(id)?.line
    if (!line) throw new BillingError("refused", "Line not found or ended")
    return renewalLine(line, { serviceId: id, cycles: 1, amount: money(0, line.currency) })
  })
}

type Lines = { readonly customerId: string; readonly ids: readonly string[] }

type ExtendableLine = LineOnCredit & {
  readonly line: Service & RenewableService
  /** When its credit was used. */
  readonly usedAt: Instant
}

/** Lines that a reseller credit extends, by id: see `Resellers.linesOnCredit`. A payment brings back only what has ended for want of one. */
export async function linesOnCredit(
  ctx: DbContext,
  { customerId, ids }: Lines,
): Promise<ReadonlyMap<string, ExtendableLine>> {
  const found = new Map<string, ExtendableLine>()
  if (ids.length === 0) return found
  const rows = await ctx.db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .selectAll("services")
    .select(({ selectFrom }) =>
      selectFrom("renewal_items")
        .select((of) => of.fn.countAll<string | number>().as("count"))
        .whereRef("renewal_items.service_id", "=", "services.id")
        .where("renewal_items.paid_until", "is not", null)
        .as("extensions"),
    )
    .leftJoin("credit_entries", (join) =>
      join.on("credit_entries.reference", "=", sql<string>`'line ' || orders.id`),
    )
    .select(["credit_entries.at as usedAt"])
    .where("services.id", "in", ids)
    .where("services.client_id", "=", customerId)
    .where("orders.kind", "=", "line")
    .execute()
  const owed = await creditsOwed(ctx, customerId)
  for (const { extensions, usedAt: used, ...row } of rows) {
    const line = renewable(serviceOf(row))
    const usedAt = Number(used ?? row.created_at)
    if (line && !(await isEndedByOperator(ctx, row)))
      found.set(row.id, {
        line,
        wasExtended: Number(extensions) > 0,
        isOwed: isCreditOwed(owed, usedAt),
        usedAt,
      })
  }
  return found
}

/** See `Resellers.planOrdersOf`. */
export async function planOrdersOf({ db }: DbContext, customerId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("client_id", "=", customerId)
    .where("kind", "=", "plan")
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Null: the idempotency key was used by a concurrent request. */
async function placeExtension(
  tx: DbContext,
  request: LineExtension,
  lines: readonly RenewalLine[],
): Promise<string | null> {
  const { at, customerId, lineIds } = request
  const input = {
    ...request,
    quote: renewalQuote(lines),
    holdReason: null,
    accountCreditScope: "none",
    browser: null,
    deadline: at,
  } as const
  const [first = ""] = lineIds
  const id = await insertOrderRow(tx, input, { kind: "renewal", service_id: first })
  if (id === null) return null
  const bill = await insertInvoice(tx, id, input)
  const items = lines.map(({ amount }, at) => ({ serviceId: lineIds[at] ?? first, cycles: 1, amount }))
  await insertRenewalItems(tx, id, items)
  await applyTransition(tx, id, "paid")
  await fulfil(tx, id, at)
  await checkExtended(tx, id)
  const accounts = { from: customerAccount(customerId), to: "issued" } as const
  const used = CREDITS_PER_LINE * lines.length
  await transfer(tx, { ...accounts, amount: used, reference: `extend ${id}`, at })
  await checkScope(tx, request)
  await remindOfCredits(tx, id, { customerId, at, used })
  await appendTimelineEvents(tx, id, [{ kind: "placed", at }, ...bill.events])
  return id
}

/** Throws `WriteConflictError` if a line has ended since it was read: its extension was not carried out. */
async function checkExtended({ db }: DbContext, orderId: string): Promise<void> {
  const left = await db
    .selectFrom("renewal_items")
    .select("service_id")
    .where("order_id", "=", orderId)
    .where("paid_until", "is", null)
    .executeTakeFirst()
  if (left) throw new WriteConflictError(`Line ${left.service_id}`)
}

/** Ends an unused line for its credit back: see `Resellers.cancelLine`. */
export async function cancelLine(
  ctx: DbContext,
  { lineId, customerId, at }: LineCancellation,
): Promise<LineCancelled | null> {
  const cancelWithin = (ctx.terms?.lineCancelHours ?? 0) * HOUR
  return inTransaction(ctx, async (tx) => {
    const found = (await linesOnCredit(tx, { customerId, ids: [lineId] })).get(lineId)
    if (!found || !isCancellable({ ...found.line, ...found }, { at, cancelWithin })) return null
    if (!(await terminate(tx, lineId, { owner: "reseller", reason: null, at }))) return null
    // An extension that was paid meanwhile: the row is locked now.
    const ended = await service(tx, lineId)
    if (ended?.term?.count !== found.line.term.count)
      throw new BillingError("refused", "Line has been extended")
    return returnCredit(tx, { customerId, at, orderId: found.line.orderId, usedAt: found.usedAt })
  })
}

type Returned = Pick<LineCancellation, "customerId" | "at"> & {
  readonly orderId: string
  readonly usedAt: Instant
}

/** Gives the credit of a line back, and takes it back at once if it is owed. */
async function returnCredit(
  tx: DbContext,
  { customerId, orderId, usedAt, at }: Returned,
): Promise<LineCancelled | null> {
  const account = customerAccount(customerId)
  const credit = { amount: CREDITS_PER_LINE, at }
  if (!(await transfer(tx, { ...credit, from: "issued", to: account, reference: `return ${orderId}` })))
    return null
  // Read while the balance is locked: a refund at the same moment has taken back what was left before, or waits and takes this.
  if (!isCreditOwed(await creditsOwed(tx, customerId), usedAt)) return "returned"
  await transfer(tx, { ...credit, from: account, to: "issued", reference: `refund ${orderId}` })
  return "owed"
}
