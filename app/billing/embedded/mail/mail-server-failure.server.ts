import type { TryResult } from "~/billing/mail-repository"
import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../db/transaction.server"

/** Name of the cursor whose place is the time of the first failure. */
const CURSOR = "mail server failed"

/** Keeps since when the mail server itself fails, at whatever message. An answer about a recipient shows that it works. */
export async function noteMailServer({ db }: DbContext, result: TryResult): Promise<void> {
  const failed = hasFailed(result)
  if (failed === null) return
  if (!failed) return void (await db.deleteFrom("cursors").where("name", "=", CURSOR).execute())
  await db
    .insertInto("cursors")
    .values({ name: CURSOR, place: String(result.at) })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute()
}

/** Null: the try says nothing about the server. */
function hasFailed(result: TryResult): boolean | null {
  if (result.state === "waiting") return result.serverFailed
  return result.state === "sent" || result.state === "rejected" ? false : null
}

/** Since when the mail server fails; null while it works. */
export async function mailServerFailedSince({ db }: Pick<DbContext, "db">): Promise<Instant | null> {
  const row = await db.selectFrom("cursors").select("place").where("name", "=", CURSOR).executeTakeFirst()
  return row === undefined ? null : Number(row.place)
}
