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
import type { ResellerSignIn } from "~/billing/resellers"
import type { Instant } from "~/domain/calendar"
import type { AccessLevel, AccessScope } from "~/domain/customer"
import type { MirrorContext } from "./context.server"

/**
 * Authenticates or signs up a reseller externally. An e-mail with an account must be proven by its password and creates
 * none. A sign-up whose response is lost stays recorded as unresolved.
 */
export async function externalAuth({ ctx, externalBilling }: MirrorContext, request: ResellerSignIn) {
  const isNew = !request.existing && (await externalBilling.customerOf(request.email)) === null
  if (!isNew) return externalBilling.resellerAuth({ ...request, existing: true })
  return recordPendingSignUp(ctx, request, () => externalBilling.resellerAuth(request))
}

/** Records the sign-up scope of an account that this call created, under a new password id. */
export async function signedUp(ctx: DbContext, remote: ExternalCustomer): Promise<AccessScope> {
  const scope = { reach: "sign-up", passwordId: remote.passwordId ?? ctx.newId() } as const
  await noteScope(ctx, remote.customerId, scope)
  await resolveSignUps(ctx, remote.email)
  return scope
}

type Proof = { readonly remote: ExternalCustomer; readonly client: ClientRow; readonly unknown: AccessLevel }

/**
 * Scope that an external password proves. In order: as the external system reports it, as recorded when the password
 * was set, `sign-up` if a sign-up of the e-mail is unresolved, otherwise `unknown`.
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

/** Records the scope of the external password and removes the local one. */
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

/** Disables the external password: a random local one takes precedence over it. */
export async function shutOut({ db }: DbContext, id: string, at: Instant): Promise<void> {
  const password_hash = await hashPassword(randomBytes(32).toString("base64url"))
  await db
    .updateTable("clients")
    .set({ password_hash, password_scope: "account", password_id: null, ...sessionsEnded("sign-up", at) })
    .where("id", "=", id)
    .execute()
}
