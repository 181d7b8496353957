import type {
  AccountChange,
  ChangedBy,
  OperatorListed,
  OperatorRepository,
} from "~/billing/operators/operators"
import { BASE } from "~/domain/base-path"
import type { Instant } from "~/domain/calendar"
import { OPERATOR_LINK_PERIOD, type OperatorRole } from "~/domain/operators/operator"
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

/** A link, or why the account was not changed. */
export type Invited = Invitation | Exclude<AccountChange, "done">

/** Whether there is a link to send, and not a reason why there is none. */
export function isInvitation(result: Invited): result is Invitation {
  return typeof result !== "string"
}

/** Adds an operator, who chooses a password by the one-time link. `unchanged`: the e-mail has an operator. */
export async function addOperator(admin: Admin, account: NewAccount, by: ChangedBy): Promise<Invited> {
  const { access, invitation } = newAccess(admin, account.at)
  const change = await admin.operators.add({ ...access, ...account }, by)
  return change === "done" ? invitation : change
}

/** Gives an operator who has lost password or codes a new one-time link. Ends the sessions; enables a disabled operator. */
export async function resetOperator(
  admin: Admin,
  { operator, at }: { operator: Pick<OperatorListed, "id">; at: Instant },
  by: ChangedBy,
): Promise<Invited> {
  const { access, invitation } = newAccess(admin, at)
  const change = await admin.operators.reset(operator.id, { ...access, at }, by)
  return change === "done" ? invitation : change
}

function newAccess({ seal, publicUrl }: Admin, at: Instant) {
  const token = newToken()
  const linkUntil = at + OPERATOR_LINK_PERIOD
  const access = { linkHash: tokenHash(token), linkUntil, totpSecret: seal.seal(newTotpSecret()) }
  // The request log holds no queries.
  const link = `${publicUrl}${BASE}/admin/set-up?token=${token}`
  return { access, invitation: { link, until: linkUntil } }
}
