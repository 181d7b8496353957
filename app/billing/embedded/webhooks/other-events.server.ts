import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { type Money, toDecimal } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { MailSuppression } from "~/domain/shop/mail"
import { bounded, type CustomerState } from "~/domain/webhooks/event-schemas"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { appendWebhookEvents, areEventsWanted } from "./append-events.server"

/** A customer has another e-mail, in the transaction that has changed it. */
export async function recordEmailChanged(ctx: DbContext, customerId: string, at: Instant): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  const customer = await customerState(ctx, customerId)
  const about = { object: "customer", objectId: customerId, at, clientId: customerId } as const
  await appendWebhookEvents(ctx, [{ type: "customer.email_changed", ...about, data: { customer } }])
}

type GrantedCredit = {
  readonly amount: Money
  readonly at: Instant
  /** The order that was refunded as it; absent: it is no refund. */
  readonly orderId?: string
}

/** A customer got account credit that no payment has bought, in the transaction that grants it. */
export async function recordCreditGranted(
  ctx: DbContext,
  customerId: string,
  { amount, at, orderId }: GrantedCredit,
): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  const customer = await customerState(ctx, customerId)
  const granted = { amount: toDecimal(amount), currency: amount.currency }
  const about = { object: "customer", objectId: customerId, at, clientId: customerId } as const
  await appendWebhookEvents(ctx, [
    { type: "credit.granted", ...about, data: { customer, granted, ...(orderId && { orderId }) } },
  ])
}

/** A reseller has few credits left, in the transaction that has spent some. */
export async function recordCreditsLow(
  ctx: DbContext,
  customerId: string,
  { credits, at }: { readonly credits: number; readonly at: Instant },
): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  const customer = await customerState(ctx, customerId)
  const about = { object: "customer", objectId: customerId, at, clientId: customerId } as const
  await appendWebhookEvents(ctx, [{ type: "reseller.credits_low", ...about, data: { customer, credits } }])
}

/** A customer's address gets no more mail, in the transaction that suppresses it. An address of nobody has no event. */
export async function recordSuppressed(
  ctx: DbContext,
  { email, scope, reason, at }: MailSuppression,
): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  const client = await ctx.db
    .selectFrom("clients")
    .select(["id", "email"])
    .where("email_key", "=", normalizeEmail(email))
    .executeTakeFirst()
  if (!client) return
  const { id } = client
  const customer = { id, email: bounded(client.email) }
  const about = { object: "customer", objectId: id, at, clientId: id } as const
  const data = { customer, scope, reason: bounded(reason) }
  await appendWebhookEvents(ctx, [{ type: "mail.suppressed", ...about, data }])
}

/** Records that a gateway is down or up: see `WebhookRepository.recordGateway`. */
export async function recordGateway(
  ctx: DbContext,
  gateway: GatewayId,
  isDown: boolean,
  at: Instant,
): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  await inTransaction(ctx, async (tx) => {
    const last = await tx.db
      .selectFrom("webhook_events")
      .select(["type", "at"])
      .where("object", "=", "gateway")
      .where("object_id", "=", gateway)
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirst()
    if ((last?.type === "gateway.down") === isDown) return
    // It has responded before it went down.
    if (last && !isDown && at < last.at) return
    const about = { object: "gateway", objectId: gateway, at, clientId: null } as const
    const type = isDown ? "gateway.down" : "gateway.up"
    await appendWebhookEvents(tx, [{ type, ...about, data: { gateway: { id: gateway } } }])
  })
}

async function customerState({ db }: DbContext, id: string): Promise<CustomerState> {
  const client = await db.selectFrom("clients").select("email").where("id", "=", id).executeTakeFirst()
  if (!client) throw new BillingError("refused", "Customer of an event not found")
  return { id, email: bounded(client.email) }
}
