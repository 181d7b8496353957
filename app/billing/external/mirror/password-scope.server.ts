import { randomBytes } from "node:crypto"
import { sessionsEnded } from "~/billing/embedded/customers/customers.server"
import { hashPassword } from "~/billing/embedded/customers/password-hash.server"
import {
  hasUnresolvedSignUp,
  recordPendingSignUp,
  resolveSignUps,
} from "~/billing/embedded/customers/unresolved-sign-ups.server"
import type { ClientRow } from "~/billing/embedded/db/schema/order-rows"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ResellerAccount } from "~/billing/resellers"
import type { Instant } from "~/domain/calendar"
import type { AccessLevel, AccessScope } from "~/domain/customer"
import type { MirrorContext } from "./context.server"

/** A sign-up may be made there and its answer lost; an e-mail that has an account has to prove it, and makes none. */
export async function externalAuth({ ctx, externalBilling }: MirrorContext, account: ResellerAccount) {
  const isNew = !account.existing && (await externalBilling.customerOf(account.email)) === null
  if (!isNew) return externalBilling.resellerAuth({ ...account, existing: true })
  return recordPendingSignUp(ctx, account, () => externalBilling.resellerAuth(account))
}

/** The account has been made by this very call: its password is a new one. */
export async function signedUp(ctx: DbContext, remote: ExternalCustomer): Promise<AccessScope> {
  const scope = { reach: "sign-up", passwordId: remote.passwordId ?? ctx.newId() } as const
  await noteScope(ctx, remote.customerId, scope)
  await resolveSignUps(ctx, remote.email)
  return scope
}

type Proof = { readonly remote: ExternalCustomer; readonly client: ClientRow; readonly unknown: AccessLevel }

/**
 * What a password of theirs proves: as they say, as we know it from when it was chosen, or as a sign-up does whose
 * outcome they never told. Of any other password nobody knows more than `unknown`.
 */
export async function scopeOf(ctx: DbContext, { remote, client, unknown }: Proof): Promise<AccessScope> {
  const unresolved = await hasUnresolvedSignUp(ctx, remote.email)
  const reach = remote.reach ?? client.password_scope ?? (unresolved ? "sign-up" : unknown)
  if (reach === "account") return { reach }
  const known = client.password_scope === "sign-up" ? client.password_id : null
  const scope = { reach, passwordId: remote.passwordId ?? known ?? ctx.newId() } as const
  if (known !== scope.passwordId) await noteScope(ctx, client.id, scope)
  await resolveSignUps(ctx, remote.email)
  return scope
}

/** What their password proves from now on; none of ours stands in its place. */
export async function noteScope(
  { db }: DbContext,
  id: string,
  { reach, passwordId }: AccessScope,
  ended: Partial<ReturnType<typeof sessionsEnded>> = {},
): Promise<void> {
  await db
    .updateTable("clients")
    .set({ password_scope: reach, password_id: passwordId ?? null, password_hash: null, ...ended })
    .where("id", "=", id)
    .execute()
}

/** Nobody signs in with their password any more: one that nobody knows stands here in its place. */
export async function shutOut({ db }: DbContext, id: string, at: Instant): Promise<void> {
  const password_hash = await hashPassword(randomBytes(32).toString("base64url"))
  await db
    .updateTable("clients")
    .set({ password_hash, password_scope: "account", password_id: null, ...sessionsEnded("sign-up", at) })
    .where("id", "=", id)
    .execute()
}
