import { normalizeEmail } from "~/domain/customers/email"
import type { DbContext } from "../db/transaction.server"

/**
 * Normalized addresses that customers have, had or were mailed at, by which mail, suppressions and requests to sign in are
 * theirs. Without those that another customer has now: who has only ordered under an address must not take what its owner has.
 */
export async function addressKeysOf({ db }: DbContext, ids: readonly string[]): Promise<readonly string[]> {
  const clients = await db
    .selectFrom("clients")
    .select(["email", "email_key"])
    .where("id", "in", ids)
    .execute()
  const changes = await db
    .selectFrom("email_changes")
    .select(["former_email", "new_key"])
    .where("client_id", "in", ids)
    .execute()
  const mails = await db
    .selectFrom("mails")
    .select("email_key")
    .distinct()
    .where("client_id", "in", ids)
    .where("email_key", "is not", null)
    .execute()
  const keys = new Set([
    ...clients.flatMap(({ email, email_key }) => [normalizeEmail(email), email_key]),
    ...changes.flatMap(({ former_email, new_key }) => [normalizeEmail(former_email), new_key]),
    ...mails.flatMap(({ email_key }) => email_key ?? []),
  ])
  const others = await db
    .selectFrom("clients")
    .select("email_key")
    .where("email_key", "in", [...keys])
    .where("id", "not in", ids)
    .execute()
  for (const { email_key } of others) keys.delete(email_key)
  return [...keys]
}
