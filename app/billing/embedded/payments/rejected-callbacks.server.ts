import { createHash } from "node:crypto"
import { sql } from "kysely"
import type { RejectedCallbacks, RejectedQuery, StoredQuery } from "~/billing/console-overview"
import type { SentCallback } from "~/billing/payments/payment-repository"
import type { Day, Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import {
  maskedBody,
  maskedHeader,
  STORED_BYTES,
  STORED_IN_ALL,
  STORED_OF_A_DAY,
  type StoredCallback,
  type StoredRequest,
} from "~/domain/payments/rejected-callback"
import type { RejectedCallbackRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"

type Rejection = { readonly gateway: GatewayId; readonly reason: string; readonly day: Day }

/** Counts a rejected callback, and keeps some of them: see `PaymentRepository.recordRejectedCallback`. */
export async function recordRejectedCallback(
  ctx: DbContext,
  { gateway, reason, day }: Rejection,
  sent?: SentCallback,
): Promise<void> {
  const { count } = await ctx.db
    .insertInto("refused_callbacks")
    .values({ gateway, day, reason, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["gateway", "day", "reason"])
        .doUpdateSet((row) => ({ count: row("refused_callbacks.count", "+", 1) })),
    )
    .returning("count")
    .executeTakeFirstOrThrow()
  // A flood is counted, and written no further.
  if (sent && Number(count) <= STORED_OF_A_DAY) await store(ctx, { gateway, reason, sent })
}

async function store(
  { db, newId }: DbContext,
  { gateway, reason, sent }: Pick<Rejection, "gateway" | "reason"> & { readonly sent: SentCallback },
): Promise<void> {
  const { at } = sent
  const { headers, ...request } = storedRequest(sent)
  await db
    .insertInto("rejected_callbacks")
    .values({ id: newId(), gateway, reason, at, headers: JSON.stringify(headers), ...request })
    .execute()
  await db
    .deleteFrom("rejected_callbacks")
    .where("id", "in", (from) =>
      from
        .selectFrom("rejected_callbacks")
        .select("id")
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        // SQLite needs a limit before an offset.
        .limit(STORED_IN_ALL)
        .offset(sql.lit(STORED_IN_ALL)),
    )
    .execute()
}

const MAX_HEADERS = 60
const MAX_HEADER = 1_000

/** What is stored of a rejected callback. */
function storedRequest({ headers, body, address }: SentCallback): StoredRequest {
  // One byte is one character, so that bytes that are no text stay as they are.
  const text = Buffer.from(body.subarray(0, STORED_BYTES)).toString("latin1")
  return {
    address,
    headers: headers
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, maskedHeader(name, value.slice(0, MAX_HEADER))]),
    body: Buffer.from(maskedBody(text), "latin1").toString("base64"),
    size: body.byteLength,
    digest: createHash("sha256").update(body).digest("hex"),
  }
}

/** See `PaymentRepository.deleteRejectedCallbacks`. */
export async function deleteRejectedCallbacks({ db }: DbContext, before: Instant): Promise<void> {
  await db.deleteFrom("rejected_callbacks").where("at", "<", before).execute()
}

/** See `ConsoleOverview.rejectedCallbacks`. */
export async function rejectedCallbacks(
  { db }: DbContext,
  { gateways, since, limit }: RejectedQuery,
): Promise<readonly RejectedCallbacks[]> {
  const rows = await db
    .selectFrom("refused_callbacks")
    .selectAll()
    .where("gateway", "in", gateways)
    .where("day", ">=", since)
    .orderBy("day", "desc")
    .orderBy("count", "desc")
    .orderBy("gateway")
    .orderBy("reason")
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/** See `ConsoleOverview.storedCallbacks`. */
export async function storedCallbacks(
  { db }: DbContext,
  { gateways, since, limit }: StoredQuery,
): Promise<readonly StoredCallback[]> {
  const rows = await db
    .selectFrom("rejected_callbacks")
    .selectAll()
    .where("gateway", "in", gateways)
    .where("at", ">=", since)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute()
  return rows.map(storedCallbackOf)
}

/** See `ConsoleOverview.storedCallback`. */
export async function storedCallback({ db }: DbContext, id: string): Promise<StoredCallback | null> {
  const row = await db.selectFrom("rejected_callbacks").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? storedCallbackOf(row) : null
}

function storedCallbackOf({ at, size, headers, ...row }: RejectedCallbackRow): StoredCallback {
  return { ...row, at: Number(at), size: Number(size), headers: JSON.parse(headers) }
}
