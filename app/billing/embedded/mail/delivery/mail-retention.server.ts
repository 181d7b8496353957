import { DAY, type Instant } from "~/domain/calendar"
import { finalMailStates } from "~/domain/shop/mail"
import { type DbContext, inTransaction } from "../../db/transaction.server"

/** Sign-in messages name people who may never have bought anything. */
const SIGN_IN_KEPT = 30 * DAY
/** The others are kept for as long as somebody may ask about an order of a year ago. */
const OTHERS_KEPT = 400 * DAY
const BATCH = 500

/** Deletes settled messages that are old, with their jobs: see `MailRepository.deleteOld`. */
export async function deleteOldMails(ctx: DbContext, now: Instant): Promise<number> {
  const settled = ctx.db
    .selectFrom("mails")
    .select("id")
    .where("state", "in", finalMailStates)
    .orderBy("created_at")
    .limit(BATCH)
  const signIns = await settled
    .where("name", "in", ["sign-in", "address-code"])
    .where("created_at", "<", now - SIGN_IN_KEPT)
    .execute()
  const others = await settled.where("created_at", "<", now - OTHERS_KEPT).execute()
  const ids = [...new Set([...signIns, ...others].map(({ id }) => id))]
  if (ids.length > 0) await deleteMails(ctx, ids)
  return ids.length
}

async function deleteMails(ctx: DbContext, ids: readonly string[]): Promise<void> {
  await inTransaction(ctx, async ({ db }) => {
    await db
      .deleteFrom("outbox")
      .where("topic", "in", ["mail", "sign-in-mail"])
      .where("subject", "in", ids)
      .execute()
    await db.deleteFrom("mails").where("id", "in", ids).execute()
  })
}
