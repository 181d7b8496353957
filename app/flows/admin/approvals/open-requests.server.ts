import type { Approval } from "~/billing/operators/approvals"
import type { OperatorListed, OperatorRepository, OperatorSession } from "~/billing/operators/operators"
import type { Instant } from "~/domain/calendar"
import { awaitsConfirmation, newAccess } from "~/domain/operators/approval"
import { emailShownTo, mayDo } from "~/domain/operators/operator"

export type OperatorAccounts = { readonly operators: Pick<OperatorRepository, "list"> }

/** What waits for a second operator. The one who has asked sees it without the buttons. */
export async function openRequests(
  { operators }: OperatorAccounts,
  approvals: readonly Approval[],
  { operatorId, role, email }: Pick<OperatorSession, "operatorId" | "role" | "email">,
  now: Instant,
) {
  const open = approvals.filter((it) => awaitsConfirmation(it, now))
  const accounts = open.length > 0 ? await operators.list() : []
  return open.map((it) => ({
    ...it,
    operator: it.operator === email ? email : emailShownTo(role, it.operator),
    mayDecide: mayDo(role, "confirm-action") && it.operator !== email,
    newAccess: newAccessIn(accounts, it, operatorId, now),
  }))
}

/**
 * Whose access is too new to confirm a request, see `newAccess`. Operators are disabled and never deleted: an account that is
 * unknown was added by nobody who is known.
 */
export function newAccessIn(
  accounts: readonly OperatorListed[],
  { operatorId: askerId }: Approval,
  confirmerId: string | null,
  now: Instant,
) {
  const accessOf = (id: string | null) =>
    id === null ? null : (accounts.find((it) => it.id === id) ?? { accessAt: now, countsAtOnce: false })
  return newAccess({ asker: accessOf(askerId), confirmer: accessOf(confirmerId) }, now)
}
