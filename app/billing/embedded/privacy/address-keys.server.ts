import { normalizeEmail } from "~/domain/email"
import type { DbContext } from "../db/transaction.server"

/**
 * Normalized addresses of customers, by which mail, suppressions and requests to sign in are theirs. Without those that another
 * customer has now: who has only ordered under an address must not take what its owner has.
 */
export async function addressKeysOf({ db }: DbContext, ids: readonly string[]): Promise<readonly string[]> {
  const clients = await db
    .selectFrom("clients")
    .select(["email", "email_key"])
    .where("id", "in", ids)
    .execute()
  const keys = new Set(clients.flatMap(({ email, email_key }) => [normalizeEmail(email), email_key]))
  const others = await db
    .selectFrom("clients")
    .select("email_key")
    .where("email_key", "in", [...keys])
    .where("id", "not in", ids)
    .execute()
  for (const { email_key } of others) keys.delete(email_key)
  return [...keys]
}
