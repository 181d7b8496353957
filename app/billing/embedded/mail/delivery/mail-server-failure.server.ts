import { sql } from "kysely"
import type { TryResult } from "~/billing/mail-repository"
import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../../db/transaction.server"

/** Name of the cursor whose place is the time of the first failure. */
const CURSOR = "mail server failed"

/**
 * Keeps since when the mail server itself fails, at whatever message. An answer about a recipient shows that it works; an accepted message,
 * too, which the mail log has, so that a shop whose mail goes out writes nothing here.
 */
export async function noteMailServer(ctx: DbContext, result: TryResult): Promise<void> {
  const failed = hasFailed(result)
  if (failed === null) return
  const { db } = ctx
  if (!failed) return void (await db.deleteFrom("cursors").where("name", "=", CURSOR).execute())
  const [since, accepted] = [await mailServerFailedSince(ctx), await lastAcceptedAt(ctx)]
  if (since !== null && since > (accepted ?? 0)) return
  const place = String(result.at)
  await db
    .insertInto("cursors")
    .values({ name: CURSOR, place })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ place }))
    .execute()
}

/** When a message was last accepted, since an instant or ever. */
export async function lastAcceptedAt({ db }: Pick<DbContext, "db">, since = 0): Promise<Instant | null> {
  const row = await db
    .selectFrom("mails")
    .select("settled_at")
    // The literal condition of the partial index.
    .where(sql<boolean>`state = 'sent'`)
    .where("settled_at", ">=", since)
    .orderBy("settled_at", "desc")
    .limit(1)
    .executeTakeFirst()
  return row?.settled_at ?? null
}

/** Null: the try says nothing about the server, or the mail log says it. */
function hasFailed(result: TryResult): boolean | null {
  if (result.state === "waiting") return result.serverFailed
  return result.state === "rejected" ? false : null
}

/** Since when the mail server fails, unless a message was accepted later; null if it has answered since. */
export async function mailServerFailedSince({ db }: Pick<DbContext, "db">): Promise<Instant | null> {
  const row = await db.selectFrom("cursors").select("place").where("name", "=", CURSOR).executeTakeFirst()
  return row === undefined ? null : Number(row.place)
}
