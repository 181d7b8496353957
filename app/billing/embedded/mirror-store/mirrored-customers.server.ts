import { randomBytes } from "node:crypto"
import type { MirroredCustomer, NewMirroredCustomer } from "~/billing/external/mirror/mirror-store"
import type { Instant } from "~/domain/calendar"
import type { AccessScope, Customer } from "~/domain/customers/customer"
import { normalizeEmail } from "~/domain/customers/email"
import {
  clientOf,
  enqueuePasswordChanged,
  NO_PASSWORD,
  scopeOfPassword,
  sessionsEnded,
} from "../customers/customers.server"
import { ERASED } from "../customers/erased-email.server"
import { keepFormerEmail } from "../customers/former-emails.server"
import { formerKey } from "../customers/former-key.server"
import { hashPassword, verifyPassword } from "../customers/password-hash.server"
import { type DbContext, inTransaction, withBillingErrors } from "../db/transaction.server"
import { eraseInactiveCustomers } from "../privacy/retention.server"

export async function customer({ db }: DbContext, id: string): Promise<MirroredCustomer | null> {
  const row = await db.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst()
  if (!row) return null
  const { email, locale, currency, password_scope: passwordScope, password_id: passwordId } = row
  const { external_key: key } = row
  return { id, email, locale, currency, passwordScope, passwordId, key, isErased: email === ERASED }
}

export async function saveCustomer(ctx: DbContext, seen: NewMirroredCustomer): Promise<boolean> {
  const before = await customer(ctx, seen.id)
  if (before !== null && isAnother(before, seen)) {
    // Who gets the id now is told from this customer in future, also without a key of this one.
    if (before.key === null)
      await ctx.db.updateTable("clients").set({ external_key: "" }).where("id", "=", seen.id).execute()
    return false
  }
  await upsertCustomer(ctx, seen)
  return true
}

function isAnother(
  { email, key: known }: MirroredCustomer,
  { isNew, key, ...seen }: NewMirroredCustomer,
): boolean {
  if (known === "") return true
  if (known !== null && key) return known !== key
  return isNew === true && normalizeEmail(email) !== normalizeEmail(seen.email)
}

async function upsertCustomer(ctx: DbContext, seen: NewMirroredCustomer): Promise<void> {
  const { db } = ctx
  const external_key = seen.key || null
  const { id, locale, currency, country, address, at } = seen
  const email = seen.email.trim()
  const email_key = normalizeEmail(email)
  await db
    .updateTable("clients")
    .set({ email_key: formerKey(email, id), ...NO_PASSWORD })
    .where("email_key", "=", email_key)
    .where("id", "!=", id)
    .execute()
  await keepFormerEmail(ctx, { customerId: id, newEmail: email, at })
  await db
    .insertInto("clients")
    .values({
      id,
      email_key,
      email,
      ...NO_PASSWORD,
      locale,
      currency,
      country,
      address,
      created_at: at,
      external_key,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => {
        const isSame = row("clients.email_key", "=", email_key)
        return {
          email_key,
          external_key: external_key ?? row.ref("clients.external_key"),
          // Another spelling changes nothing; another address does, and an erased customer who returns gets the e-mail back.
          email: row
            .case()
            .when(row.and([isSame, row("clients.email", "!=", ERASED)]))
            .then(row.ref("clients.email"))
            .else(email)
            .end(),
          // Nobody has received mail at another address yet.
          email_proven_at: row.case().when(isSame).then(row.ref("clients.email_proven_at")).else(null).end(),
        }
      }),
    )
    .execute()
}

export async function signInLocally(
  ctx: DbContext,
  proof: { email: string; password: string },
): Promise<Customer | null | "no-password"> {
  const client = await clientOf(ctx, proof.email)
  const hash = client?.password_hash ?? null
  const isVerified = await verifyPassword(proof.password, hash)
  if (!client || hash === null) return "no-password"
  const { id, email, locale, currency } = client
  return isVerified ? { id, email, locale, currency, ...(await scopeOfPassword(ctx, client)) } : null
}

export async function setExternalScope(
  ctx: DbContext,
  id: string,
  { reach, passwordId }: AccessScope,
  ended?: Instant,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable("clients")
      .set({ password_scope: reach, password_id: passwordId ?? null, password_hash: null })
      .$if(ended !== undefined, (update) => update.set(sessionsEnded(reach, ended ?? 0)))
      .where("id", "=", id)
      .execute()
    // Sessions end with a new password only; otherwise a known one was seen.
    if (ended !== undefined) await enqueuePasswordChanged(tx, id, { reach, at: ended })
  })
}

export async function disableExternalPassword({ db }: DbContext, id: string, at: Instant): Promise<void> {
  const password_hash = await hashPassword(randomBytes(32).toString("base64url"))
  await db
    .updateTable("clients")
    .set({ password_hash, password_scope: "account", password_id: null, ...sessionsEnded("sign-up", at) })
    .where("id", "=", id)
    .execute()
}

/** Erases inactive customers, who keep their passwords. */
export function eraseAllButPasswords(ctx: DbContext, before: Instant, limit: number): Promise<number> {
  return withBillingErrors(eraseInactiveCustomers(ctx, { before, limit, passwords: "keep" }))
}
