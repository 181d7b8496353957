import { PASSWORD_LENGTH } from "../customers/customer"
import { includes } from "../includes"
import { mayDo, type OperatorAction, type OperatorRole } from "./operator"

/** What an owner does with the account of another operator: what takes access away comes last. */
export const accountActions = [
  "reset-operator",
  "end-operator-sessions",
  "disable-operator",
] as const satisfies readonly OperatorAction[]
export type AccountAction = (typeof accountActions)[number]

/** Whether a form names an action on the account of an operator. */
export function isAccountAction(text: string): text is AccountAction {
  return includes(accountActions, text)
}

/** What decides which actions an operator's account allows. */
export type AccountState = {
  /** The account of who asks: it is changed under "Your account", and nobody shuts the last owner out. */
  readonly isOwn: boolean
  readonly isDisabled: boolean
  readonly hasSessions: boolean
}

/** Whether the state of an operator's account allows an action. */
export function accountAllows(
  { isOwn, isDisabled, hasSessions }: AccountState,
  action: AccountAction,
): boolean {
  if (isOwn) return false
  if (action === "disable-operator") return !isDisabled
  return action === "reset-operator" || hasSessions
}

/** Actions that the state of an operator's account allows to a role. */
export function accountActionsFor(role: OperatorRole, account: AccountState): readonly AccountAction[] {
  return accountActions.filter((action) => mayDo(role, action) && accountAllows(account, action))
}

/** Why a new password that an operator has typed twice is refused before its strength is rated; null: it is not. */
export function newPasswordProblem(
  password: string,
  repeated: string,
): "tooShort" | "tooLong" | "notSame" | null {
  if (password.length < PASSWORD_LENGTH.min) return "tooShort"
  if (password.length > PASSWORD_LENGTH.max) return "tooLong"
  return password === repeated ? null : "notSame"
}
