import { BillingError } from "~/billing/billing"
import type { NewLine } from "~/billing/resellers"
import type { Order } from "~/domain/orders/order"
import { CREDITS_PER_LINE } from "~/domain/services/reseller-credits"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { fulfil } from "../fulfilment/fulfilment.server"
import { applyTransition } from "../fulfilment/order-transitions.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { insertInvoice, insertOrderRow, planIn } from "../purchases/insert-order.server"
import { placeOnce } from "../purchases/place-once.server"
import { balanceInScope } from "../reseller-credits/credit-history.server"
import { customerAccount, resellerCreditBalance, transfer } from "../reseller-credits/credit-ledger.server"
import { writeService } from "../services/insert-service.server"
import { service } from "../services/services.server"
import { recordCreditsLow } from "../webhooks/other-events.server"

/** Creates a line for a reseller's own customer, paid with reseller credits: see `Resellers.createLine`. */
export async function createLine(ctx: DbContext, request: NewLine): Promise<Order> {
  return inTransaction(ctx, (tx) =>
    placeOnce(tx, request, { kind: "line", insert: () => insert(tx, request) }),
  )
}

async function insert(tx: DbContext, request: NewLine): Promise<string | null> {
  await checkReseller(tx, request)
  const serviceId = tx.newId()
  const id = await insertOrderRow(
    tx,
    { ...request, accountCreditScope: "none", browser: null, deadline: request.at },
    { kind: "line", service_id: serviceId },
  )
  if (id) await insertLine(tx, { id, serviceId, request })
  return id
}

async function checkReseller(ctx: DbContext, request: NewLine): Promise<void> {
  await checkResellerService(ctx, request)
  if (request.quote.total.minor !== 0)
    throw new BillingError("refused", "Invalid quote: total of a line must be 0")
}

/** Throws `BillingError` "refused" if the reseller service is not active or not the customer's. */
export async function checkResellerService(
  ctx: DbContext,
  { resellerServiceId, customerId }: Pick<NewLine, "resellerServiceId" | "customerId">,
): Promise<void> {
  const found = await service(ctx, resellerServiceId)
  const isOwned = found?.kind === "reseller" && found.customerId === customerId
  if (!isOwned || found.status !== "Active")
    throw new BillingError("refused", "Reseller service not found or not active")
}

/**
 * Checks the balance in the credit scope after the transfer, which locks the customer's balance row: of two concurrent
 * lines, the second reads the ledger entry of the first.
 */
export async function checkScope(
  ctx: DbContext,
  { customerId, resellerCreditScope }: Pick<NewLine, "customerId" | "resellerCreditScope">,
): Promise<void> {
  const balance = await balanceInScope(ctx, { id: customerId, ...resellerCreditScope })
  if (balance < 0) throw new BillingError("refused", "Not enough reseller credits under this password")
}

/**
 * One message and one event when the balance comes down to the policy's limit, not one for each line below it. `used`: credits
 * used just now.
 */
export async function remindOfCredits(
  ctx: DbContext,
  orderId: string,
  { customerId, at, used }: Pick<NewLine, "customerId" | "at"> & { readonly used: number },
): Promise<void> {
  const creditsLow = ctx.mail?.creditsLow ?? ctx.webhooks?.creditsLow
  if (creditsLow === undefined) return
  const balance = Number(await resellerCreditBalance(ctx, customerAccount(customerId)))
  if (balance > creditsLow || balance + used <= creditsLow) return
  await enqueueMail(ctx, { name: "credits-low", onceKey: `credits-low ${orderId}`, clientId: customerId, at })
  await recordCreditsLow(ctx, customerId, { credits: balance, at })
}

type LineOrderInput = { readonly id: string; readonly serviceId: string; readonly request: NewLine }

async function insertLine(ctx: DbContext, { id, serviceId, request }: LineOrderInput): Promise<void> {
  const { at, notes, customerId } = request
  const product = planIn(request.quote)
  const bill = await insertInvoice(ctx, id, {
    ...request,
    accountCreditScope: "none",
    browser: null,
    deadline: at,
  })
  await writeService(ctx, {
    id: serviceId,
    orderId: id,
    kind: "plan",
    product,
    request,
    connections: 1,
    notes,
  })
  if (request.holdReason !== null)
    return appendTimelineEvents(ctx, id, [{ kind: "placed", at }, ...bill.events])
  await applyTransition(ctx, id, "paid")
  await fulfil(ctx, id, at)
  const accounts = { from: customerAccount(customerId), to: "issued" } as const
  await transfer(ctx, { ...accounts, amount: CREDITS_PER_LINE, reference: `line ${id}`, at })
  await checkScope(ctx, request)
  await remindOfCredits(ctx, id, { customerId, at, used: CREDITS_PER_LINE })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at }])
}
