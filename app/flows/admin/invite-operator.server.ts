import type { OperatorListed, OperatorRepository } from "~/billing/operators"
import { BASE } from "~/domain/base-path"
import type { Instant } from "~/domain/calendar"
import { OPERATOR_LINK_PERIOD, type OperatorRole } from "~/domain/operator"
import type { Seal } from "~/security/cookie-encryption.server"
import { newToken, tokenHash } from "~/security/operator-tokens.server"
import { newTotpSecret } from "~/security/totp.server"

type Admin = {
  readonly operators: OperatorRepository
  readonly seal: Seal
  readonly publicUrl: string
}

/** A one-time link, shown once: only the hash of its token is stored. */
export type Invitation = { readonly link: string; readonly until: Instant }

type NewAccount = {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly at: Instant
}

/** Adds an operator, who chooses a password by the one-time link. Null if the e-mail has an operator. */
export async function addOperator(admin: Admin, account: NewAccount): Promise<Invitation | null> {
  const { access, invitation } = newAccess(admin, account.at)
  return (await admin.operators.add({ ...access, ...account })) ? invitation : null
}

/** Gives an operator who has lost password or codes a new one-time link. Ends the sessions; enables a disabled operator. */
export async function resetOperator(
  admin: Admin,
  { operator, at }: { operator: Pick<OperatorListed, "id">; at: Instant },
): Promise<Invitation> {
  const { access, invitation } = newAccess(admin, at)
  await admin.operators.reset(operator.id, { ...access, at })
  return invitation
}

function newAccess({ seal, publicUrl }: Admin, at: Instant) {
  const token = newToken()
  const linkUntil = at + OPERATOR_LINK_PERIOD
  const access = { linkHash: tokenHash(token), linkUntil, totpSecret: seal.seal(newTotpSecret()) }
  // The request log holds no queries.
  const link = `${publicUrl}${BASE}/admin/set-up?token=${token}`
  return { access, invitation: { link, until: linkUntil } }
}
