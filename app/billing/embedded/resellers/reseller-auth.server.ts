import type { ResellerSignIn } from "~/billing/resellers"
import type { Customer } from "~/domain/customers/customer"
import { paidStatuses } from "~/domain/orders/order-status"
import { clientOf, insertClient, signIn } from "../customers/customers.server"
import { hashPassword } from "../customers/password-hash.server"
import type { DbContext } from "../db/transaction.server"

/**
 * Authenticates or creates a reseller's account: see `Resellers.resellerAuth`. Every outcome hashes or verifies one
 * password, which takes equally long. Of two concurrent sign-ups, one creates the account and the other authenticates.
 */
export async function resellerAuth(ctx: DbContext, account: ResellerSignIn): Promise<Customer | null> {
  const { email, password, existing } = account
  const isFree = !existing && (await clientOf(ctx, email)) === undefined
  if (!isFree) return signIn(ctx, { email, password })
  const password_hash = await hashPassword(password)
  const passwordId = ctx.newId()
  const chosen = { password_hash, password_scope: "sign-up", password_id: passwordId } as const
  await insertClient(ctx, account, chosen)
  const client = await clientOf(ctx, email)
  // A concurrent sign-up created the account first.
  if (client?.password_hash !== password_hash) return signIn(ctx, { email, password })
  const { id, locale, currency } = client
  return { id, email: client.email, locale, currency, reach: "sign-up", passwordId }
}

/** Whether a customer has a paid reseller service that is not cancelled. */
export async function isReseller({ db }: DbContext, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom("services")
    .select("services.id")
    .innerJoin("orders", "orders.id", "services.order_id")
    .where("services.client_id", "=", customerId)
    .where("services.kind", "=", "reseller")
    .where("services.status", "!=", "Cancelled")
    .where("orders.status", "in", paidStatuses)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
