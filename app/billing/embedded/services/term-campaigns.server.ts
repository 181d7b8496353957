import { type ExpressionBuilder, sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { MailRow } from "../db/schema/mail-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { localeOfService } from "../mail/message-locale.server"
import { giveDays } from "./given-days.server"

/** Days for all services that were running at a time, such as that of an outage. */
export type CampaignRequest = {
  readonly days: number
  /** Null: every product. */
  readonly productId: string | null
  readonly activeAt: Instant
  readonly reason: string
}

export type Campaign = CampaignRequest & {
  readonly id: string
  readonly createdAt: Instant
  readonly undoneAt: Instant | null
  /** Services that have its days. */
  readonly services: number
}

/** `waiting`: services that a campaign would extend. `campaign`: the one with this request that has begun; null: none. */
export type CampaignCount = { readonly waiting: number; readonly campaign: string | null }

export type CampaignRun = { readonly id: string; readonly services: readonly string[] }

/** Services per transaction: with SQLite a transaction blocks all other writers. */
const BATCH = 50

export async function countCampaign(ctx: DbContext, request: CampaignRequest): Promise<CampaignCount> {
  const campaign = await begunCampaign(ctx, request)
  const { count } = await ctx.db
    .selectFrom("services")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where(isMeant(request))
    .where(isWaiting(campaign))
    .executeTakeFirstOrThrow()
  return { waiting: Number(count), campaign }
}

/**
 * Extends the services in batches, each once, also if it is interrupted and repeated: a request with the same product, days,
 * time and reason goes on with the same campaign until that is undone. Returns its id and the services extended by this call.
 */
export async function runCampaign(
  ctx: DbContext,
  request: CampaignRequest,
  at: Instant,
): Promise<CampaignRun> {
  const id = await inTransaction(ctx, (tx) => beginCampaign(tx, request, at))
  const extended: string[] = []
  for (let last = ""; ; ) {
    const batch = await inTransaction(ctx, (tx) => extendBatch(tx, { ...request, id, last, at }))
    if (batch.last === null) return { id, services: extended }
    extended.push(...batch.extended)
    last = batch.last
  }
}

/**
 * Enqueues a message for each service that has the days of a campaign, in batches, each once, also if it is repeated. A line's
 * customer has no address here. Returns the number of services; those notified before count too.
 */
export async function mailCampaign(ctx: DbContext, id: string, at: Instant): Promise<number> {
  let count = 0
  for (let last: string | null = ""; last !== null; ) {
    const after: string = last
    const notified = await inTransaction(ctx, (tx) => mailBatch(tx, id, { after, at }))
    count += notified.length
    last = notified.at(-1) ?? null
  }
  return count
}

async function mailBatch(
  tx: DbContext,
  id: string,
  { after, at }: { after: string; at: Instant },
): Promise<string[]> {
  const items = await tx.db
    .selectFrom("term_campaign_items as item")
    .innerJoin("services", "services.id", "item.service_id")
    .innerJoin("orders", "orders.id", "services.order_id")
    .select(["item.service_id", "item.days", "services.order_id", "services.client_id"])
    .where("item.campaign_id", "=", id)
    .where("item.service_id", ">", after)
    .where("item.undone_at", "is", null)
    .where("orders.kind", "!=", "line")
    .orderBy("item.service_id")
    .limit(BATCH)
    .execute()
  for (const { service_id, days, order_id, client_id } of items)
    await enqueueMail(tx, {
      name: "days-given",
      onceKey: `${mailsOf(id)}${service_id}`,
      at,
      orderId: order_id,
      clientId: client_id,
      locale: await localeOfService(tx, { id: service_id, client_id }),
      detail: `${service_id} ${days} ${id}`,
    })
  return items.map((it) => it.service_id)
}

/** Start of the idempotency keys of a campaign's messages. */
const mailsOf = (campaign: string) => `days-given ${campaign} `

/** Messages of a campaign that were handed to a mail server. */
async function mailsSent({ db }: DbContext, campaign: string): Promise<number> {
  const { count } = await db
    .selectFrom("term_campaign_items as item")
    .innerJoin("mails", (join) =>
      join.on("mails.once_key", "=", sql<string>`${mailsOf(campaign)} || item.service_id`),
    )
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("item.campaign_id", "=", campaign)
    .where("mails.tried_at", "is not", null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Why a message about days that were given is not sent any more; null if it is. */
export async function reasonAgainstDaysGiven(
  { db }: DbContext,
  { detail }: Pick<MailRow, "detail">,
): Promise<string | null> {
  const [serviceId = "", , campaign = ""] = (detail ?? "").split(" ")
  const item = await db
    .selectFrom("term_campaign_items")
    .select("undone_at")
    .where("campaign_id", "=", campaign)
    .where("service_id", "=", serviceId)
    .executeTakeFirst()
  return item?.undone_at === null ? null : "the days have been taken back"
}

/** `mails`: messages about the days that customers have got. */
export type CampaignUndone = { readonly services: number; readonly mails: number }

/** Takes the days of a campaign back, in batches. Null if there is no such campaign. */
export async function undoCampaign(ctx: DbContext, id: string, at: Instant): Promise<CampaignUndone | null> {
  const campaign = await ctx.db
    .selectFrom("term_campaigns")
    .select("reason")
    .where("id", "=", id)
    .executeTakeFirst()
  if (!campaign) return null
  // First, so that no other process goes on with the campaign.
  await ctx.db
    .updateTable("term_campaigns")
    .set({ undone_at: at })
    .where("id", "=", id)
    .where("undone_at", "is", null)
    .execute()
  for (let undone = 0; ; ) {
    const batch = await inTransaction(ctx, (tx) => undoBatch(tx, { id, reason: campaign.reason, at }))
    if (batch.length === 0) return { services: undone, mails: await mailsSent(ctx, id) }
    undone += batch.filter(Boolean).length
  }
}

/** Campaigns, the newest first. */
export async function listCampaigns({ db }: DbContext): Promise<readonly Campaign[]> {
  return db
    .selectFrom("term_campaigns as campaign")
    .select(["id", "reason", "days", "product_id as productId", "active_at as activeAt"])
    .select(["created_at as createdAt", "undone_at as undoneAt"])
    .select((row) =>
      row
        .selectFrom("term_campaign_items as item")
        .select((item) => item.fn.countAll<number>().as("services"))
        .whereRef("item.campaign_id", "=", "campaign.id")
        .where("item.undone_at", "is", null)
        .as("services"),
    )
    .orderBy("created_at", "desc")
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, services: Number(row.services ?? 0) })))
}

async function begunCampaign(
  { db }: DbContext,
  { days, productId, activeAt, reason }: CampaignRequest,
): Promise<string | null> {
  const row = await db
    .selectFrom("term_campaigns")
    .select("id")
    .where("days", "=", days)
    .where("product_id", productId === null ? "is" : "=", productId)
    .where("active_at", "=", activeAt)
    .where("reason", "=", reason)
    .where("undone_at", "is", null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The campaign of a request. Of two transactions that begin it at once, a unique key lets one insert it. */
async function beginCampaign(tx: DbContext, request: CampaignRequest, at: Instant): Promise<string> {
  const begun = await begunCampaign(tx, request)
  if (begun !== null) return begun
  const id = tx.newId()
  const { days, productId, activeAt, reason } = request
  await tx.db
    .insertInto("term_campaigns")
    .values({
      id,
      reason,
      days,
      product_id: productId,
      active_at: activeAt,
      created_at: at,
      undone_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const campaign = await begunCampaign(tx, request)
  if (campaign === null) throw new WriteConflictError("Campaign undone while it began")
  return campaign
}

type Batch = CampaignRequest & { readonly id: string; readonly last: string; readonly at: Instant }

/** Extends the services after `last`, in the order of their ids. `last`: null if there were none. */
async function extendBatch(
  tx: DbContext,
  { id, last, at, ...request }: Batch,
): Promise<{ extended: string[]; last: string | null }> {
  await refuseUndone(tx, id)
  const meant = await tx.db
    .selectFrom("services")
    .select("id")
    .where("id", ">", last)
    .where(isMeant(request))
    .where(isWaiting(id))
    .orderBy("id")
    .limit(BATCH)
    .execute()
  const extended: string[] = []
  for (const service of meant) {
    if (await extendOnce(tx, service.id, { id, at, ...request })) extended.push(service.id)
  }
  return { extended, last: meant.at(-1)?.id ?? null }
}

async function extendOnce(
  tx: DbContext,
  serviceId: string,
  { id, days, reason, at }: Omit<Batch, "last">,
): Promise<boolean> {
  const added = await tx.db
    .insertInto("term_campaign_items")
    .values({ campaign_id: id, service_id: serviceId, days, applied_at: at, undone_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("service_id")
    .executeTakeFirst()
  if (!added) return false
  return (await giveDays(tx, serviceId, { days, reason, at, campaign: id })) !== null
}

/** An update that changes nothing locks the campaign: who undoes it waits for the batch, and finds its services. */
async function refuseUndone({ db }: DbContext, id: string): Promise<void> {
  const { undone_at } = await db
    .updateTable("term_campaigns")
    .set((row) => ({ undone_at: row.ref("undone_at") }))
    .where("id", "=", id)
    .returning("undone_at")
    .executeTakeFirstOrThrow()
  if (undone_at !== null) throw new BillingError("refused", `Campaign ${id} has been undone meanwhile`)
}

/**
 * Takes the days of some services back. One entry for each: whether days were taken. Not if the service has ended, or its
 * paid time has begun anew since, by which the days have passed.
 */
async function undoBatch(
  tx: DbContext,
  { id, reason, at }: { id: string; reason: string; at: Instant },
): Promise<boolean[]> {
  const items = await tx.db
    .updateTable("term_campaign_items")
    .set({ undone_at: at })
    .where("campaign_id", "=", id)
    .where("service_id", "in", (row) =>
      row
        .selectFrom("term_campaign_items")
        .select("service_id")
        .where("campaign_id", "=", id)
        .where("undone_at", "is", null)
        .orderBy("service_id")
        .limit(BATCH),
    )
    .where("undone_at", "is", null)
    .returning(["service_id", "days", "applied_at"])
    .execute()
  const undone: boolean[] = []
  for (const { service_id, days, applied_at } of items) {
    const same = await tx.db
      .selectFrom("services")
      .select("id")
      .where("id", "=", service_id)
      .where("term_anchor", "<=", applied_at)
      .executeTakeFirst()
    const end = same && (await giveDays(tx, service_id, { days: -days, reason, at, campaign: id }))
    undone.push(typeof end === "number")
  }
  return undone
}

type Row = ExpressionBuilder<Tables, "services">

/**
 * Running services that were running at the time too. One that the panel's owner or a fraud check has stopped since gets
 * no days.
 */
function isMeant({ productId, activeAt }: CampaignRequest) {
  return (row: Row) =>
    row.and([
      row("services.status", "in", ["Active", "Suspended"]),
      row("services.paid_until", "is not", null),
      row("services.created_at", "<=", activeAt),
      row.or([
        row("services.suspension_owner", "is", null),
        row("services.suspension_owner", "in", ["non-payment", "operator"]),
      ]),
      productId === null ? row.lit(true) : row("services.product_id", "=", productId),
      row.not(row.exists(stoppedAt(row, activeAt))),
    ])
}

/** The suspension or termination of a service that was in force at a time. */
function stoppedAt({ selectFrom }: Row, at: Instant) {
  return selectFrom("service_events as stop")
    .select("stop.position")
    .whereRef("stop.service_id", "=", "services.id")
    .where("stop.kind", "in", ["suspended", "terminated"])
    .where("stop.at", "<=", at)
    .where((event) =>
      event.not(
        event.exists(
          event
            .selectFrom("service_events as start")
            .select("start.position")
            .whereRef("start.service_id", "=", "stop.service_id")
            .whereRef("start.position", ">", "stop.position")
            .where("start.kind", "in", ["resumed", "started", "renewed", "recreated"])
            .where("start.at", "<=", at),
        ),
      ),
    )
}

/** Services that the campaign has not extended; all, if it has not begun. */
function isWaiting(campaign: string | null) {
  return ({ lit, not, exists, selectFrom }: Row) =>
    campaign === null
      ? lit(true)
      : not(
          exists(
            selectFrom("term_campaign_items as item")
              .select("item.service_id")
              .where("item.campaign_id", "=", campaign)
              .whereRef("item.service_id", "=", "services.id"),
          ),
        )
}
