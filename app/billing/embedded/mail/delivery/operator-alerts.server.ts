import { sql } from "kysely"
import { HOUR, type Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { operatorMessages } from "~/domain/shop/mail"
import { type DbContext, inTransaction } from "../../db/transaction.server"
import { paidAtOfFew } from "../../orders/paid-at.server"
import { enqueueMail } from "../enqueue-mail.server"

const BATCH = 50

/** Enqueues an alert for each order that was paid before `paidBefore` and is not provisioned: one per order. */
export async function alertUnprovisioned(
  ctx: DbContext,
  { paidBefore, at }: { paidBefore: Instant; at: Instant },
): Promise<void> {
  const orders = await ctx.db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select("orders.id")
    .where("orders.status", "=", "paid")
    .where("orders.kind", "!=", "line")
    .where(paidAtOfFew, "<=", paidBefore)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("mails")
            .select("mails.id")
            .whereRef("mails.order_id", "=", "orders.id")
            .where("mails.name", "=", "operator-not-provisioned"),
        ),
      ),
    )
    .limit(BATCH)
    .execute()
  const name = "operator-not-provisioned"
  for (const { id } of orders)
    await inTransaction(ctx, (tx) => enqueueMail(tx, { name, onceKey: `${name} ${id}`, orderId: id, at }))
}

/**
 * Enqueues an alert if a gateway has gone down or come up since the last alert about it. The key names that last alert, so
 * two instances that report the same change enqueue one.
 */
export async function alertGateway(
  ctx: DbContext,
  { gateway, isDown, at }: { gateway: GatewayId; isDown: boolean; at: Instant },
): Promise<void> {
  const down = await newestAbout(ctx, gateway, "operator-gateway-down")
  const up = await newestAbout(ctx, gateway, "operator-gateway-up")
  const wasDown = down !== undefined && (up === undefined || down.created_at > up.created_at)
  const last = wasDown ? down : up
  if (wasDown === isDown) return
  // It has responded before it went down.
  if (last && !isDown && at < last.created_at) return
  const name = isDown ? "operator-gateway-down" : "operator-gateway-up"
  const onceKey = `${name} ${gateway} after ${last?.id ?? "the start"}`
  await inTransaction(ctx, (tx) => enqueueMail(tx, { name, onceKey, detail: gateway, at }))
}

/** One name at a time: with two an engine walks the messages of all years by their time. */
function newestAbout(
  { db }: DbContext,
  gateway: GatewayId,
  name: "operator-gateway-down" | "operator-gateway-up",
) {
  return db
    .selectFrom("mails")
    .select(["id", "created_at"])
    .where("name", "=", name)
    .where("detail", "=", gateway)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst()
}

/**
 * Enqueues an alert if a job was parked since the last one, at most one an hour. A parked message to the operator causes
 * none: its alert would take the same way.
 */
export async function alertParkedJobs(ctx: DbContext, at: Instant): Promise<void> {
  const name = "operator-jobs-parked"
  const last = await ctx.db
    .selectFrom("mails")
    .select("created_at")
    .where("name", "=", name)
    .where("created_at", ">", at - HOUR)
    .limit(1)
    .executeTakeFirst()
  if (last) return
  const parked = await parkedJobs(ctx)
  const [newest] = parked
  if (newest === undefined) return
  const onceKey = `${name} ${newest.id} ${newest.put_off_at}`
  await inTransaction(ctx, (tx) => enqueueMail(tx, { name, onceKey, detail: summaryOf(parked), at }))
}

type ParkedJob = Awaited<ReturnType<typeof parkedJobs>>[number]

/** The newest ones first: those of a long outage must not hide one that was parked since. */
function parkedJobs({ db }: DbContext) {
  return (
    db
      .selectFrom("outbox")
      .leftJoin("mails", "mails.id", "outbox.subject")
      .select(["outbox.id", "outbox.topic", "outbox.put_off_at"])
      .where("outbox.state", "=", "parked")
      // The literal condition of the partial index.
      .where(sql<boolean>`outbox.tries > 0`)
      .where((row) => row.or([row("mails.name", "is", null), row("mails.name", "not in", operatorMessages)]))
      .orderBy("outbox.put_off_at", "desc")
      .limit(MAX_COUNTED)
      .execute()
  )
}

const MAX_COUNTED = 250

/** "2 provision, 1 mail". */
function summaryOf(jobs: readonly ParkedJob[]): string {
  const counts = new Map<string, number>()
  for (const { topic } of jobs) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return [...counts].map(([topic, count]) => `${count} ${topic}`).join(", ")
}
