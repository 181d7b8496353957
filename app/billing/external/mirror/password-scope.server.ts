import { isRefusedByBilling } from "~/billing/billing"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ResellerSignIn } from "~/billing/resellers"
import type { AccessLevel, AccessScope } from "~/domain/customers/customer"
import type { MirrorContext } from "./context.server"
import type { MirroredCustomer } from "./mirror-store"

/**
 * Authenticates or signs up a reseller externally. An e-mail with an account must be proven by its password and creates
 * none. A sign-up whose response is lost stays recorded as unresolved.
 */
export async function externalAuth(mirror: MirrorContext, request: ResellerSignIn) {
  const { externalBilling } = mirror
  const isNew = !request.existing && (await externalBilling.customerOf(request.email)) === null
  return isNew ? signUp(mirror, request) : externalBilling.resellerAuth({ ...request, existing: true })
}

/**
 * Signs up a reseller and records it as unresolved, unless external billing refuses it. If the response is lost, the
 * account may exist nevertheless; a later sign-in to it then proves only the sign-up password.
 */
async function signUp({ store, externalBilling }: MirrorContext, request: ResellerSignIn) {
  const { email, at } = request
  const id = await store.recordSignUp({ email, at })
  try {
    const result = await externalBilling.resellerAuth(request)
    if (result === null) await store.removeSignUp(id)
    return result
  } catch (error) {
    if (isRefusedByBilling(error)) await store.removeSignUp(id)
    throw error
  }
}

/** Records the sign-up scope of an account that this call created, under a new password id. */
export async function signedUp(
  { store, newId }: MirrorContext,
  { customerId, email, passwordId }: ExternalCustomer,
): Promise<AccessScope> {
  const scope = { reach: "sign-up", passwordId: passwordId ?? newId() } as const
  await store.setExternalScope(customerId, scope)
  await store.resolveSignUps(email)
  return scope
}

type Proof = {
  readonly remote: ExternalCustomer
  readonly client: MirroredCustomer
  readonly unknown: AccessLevel
}

/**
 * Scope that an external password proves. In order: as the external system reports it, as recorded when the password
 * was set, `sign-up` if a sign-up of the e-mail is unresolved, otherwise `unknown`.
 */
export async function scopeOf(
  { store, newId }: MirrorContext,
  { remote, client, unknown }: Proof,
): Promise<AccessScope> {
  const unresolved = await store.hasUnresolvedSignUp(remote.email)
  const reach = remote.reach ?? client.passwordScope ?? (unresolved ? "sign-up" : unknown)
  if (reach === "account") return { reach }
  const known = client.passwordScope === "sign-up" ? client.passwordId : null
  const scope = { reach, passwordId: remote.passwordId ?? known ?? newId() } as const
  if (known !== scope.passwordId) await store.setExternalScope(client.id, scope)
  await store.resolveSignUps(remote.email)
  return scope
}
