import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { PRICE_NOTICE } from "~/domain/services/renewal"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { localeOfService } from "../mail/message-locale.server"
import { appendServiceEvent } from "./service-terms.server"

/** Another price of a service from a day on. */
export type Announcement = {
  readonly price: Money
  readonly from: Instant
  readonly reason: string
  readonly at: Instant
}

/** Records that a price was announced, with the message to the customer, in the current transaction. */
export async function notifyOfPrice(
  tx: DbContext,
  service: ServiceRow,
  { price, from, reason, at }: Announcement,
): Promise<void> {
  const { id, order_id, client_id } = service
  await appendServiceEvent(tx, id, {
    kind: "price-announced",
    at,
    detail: { price: price.minor, currency: price.currency, from, reason },
  })
  await enqueueMail(tx, {
    name: "price-announced",
    onceKey: `price-announced ${id} ${from} ${at}`,
    at,
    orderId: order_id,
    clientId: client_id,
    locale: await localeOfService(tx, service),
    detail: aboutPrice(id, from),
    amount: price,
  })
}

function aboutPrice(serviceId: string, from: Instant): string {
  return `${serviceId} ${from}`
}

/**
 * Announces a price again, in the current transaction, whose message was not sent because another plan followed the service's: its
 * time of notice begins now. Other announced prices stay.
 */
export async function announceAgain(tx: DbContext, row: ServiceRow, at: Instant): Promise<void> {
  const { id, currency, announced_price, announced_from } = row
  if (currency === null || announced_price === null || announced_from === null) return
  if (!(await isUnsent(tx, row, announced_from))) return
  const from = Math.max(announced_from, at + PRICE_NOTICE)
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({ announced_from: from })
    .where("id", "=", id)
    .where("announced_price", "=", announced_price)
    .where("announced_from", "=", announced_from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Price of service ${id}`)
  const reason = "The plan that was to follow was taken back."
  await notifyOfPrice(tx, row, { price: money(announced_price, currency), from, reason, at })
}

/** Whether the message about an announced price was left out, or may be just now. */
async function isUnsent({ db }: DbContext, { id, client_id }: ServiceRow, from: Instant): Promise<boolean> {
  const mail = await db
    .selectFrom("mails")
    .select("state")
    .where("client_id", "=", client_id)
    .where("name", "=", "price-announced")
    .where("detail", "=", aboutPrice(id, from))
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst()
  return mail?.state === "skipped" || mail?.state === "sending"
}
