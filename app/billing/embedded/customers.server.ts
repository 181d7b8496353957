import type { Visitor } from "~/billing/billing"
import { emailKey } from "~/domain/email"
import type { Books } from "./books.server"

/** The client of an e-mail; made when there is none. Of two at once, one makes it and both get it. */
export async function identify(books: Books, visitor: Visitor): Promise<{ customerId: string }> {
  const known = await clientOf(books, visitor.email)
  if (known) return known
  await books.db
    .insertInto("clients")
    .values({
      id: books.newId(),
      email_key: emailKey(visitor.email),
      email: visitor.email.trim(),
      password_hash: null,
      locale: visitor.locale,
      currency: visitor.currency,
      address: visitor.address,
      created_at: visitor.at,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .execute()
  return (await clientOf(books, visitor.email)) ?? identify(books, visitor)
}

function clientOf({ db }: Books, email: string): Promise<{ customerId: string } | undefined> {
  return db
    .selectFrom("clients")
    .select("id as customerId")
    .where("email_key", "=", emailKey(email))
    .executeTakeFirst()
}
