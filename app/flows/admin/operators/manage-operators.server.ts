import type { ChangedBy, OperatorListed, SessionListed } from "~/billing/operators/operators"
import type { Console, ConsoleServices } from "~/context/services.server"
import { isEmail } from "~/domain/customers/email"
import { emailShownTo, type OperatorRole, operatorRoles } from "~/domain/operators/operator"
import { type AccountAction, type AccountState, accountAllows } from "~/domain/operators/operator-account"
import type { SentKey } from "../form-key.server"
import {
  type Actor,
  type FormOutcome,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "../run-operator-action.server"
import {
  addOperator,
  type Invitation,
  type Invited,
  isInvitation,
  resetOperator,
} from "./invite-operator.server"

type Viewer = Pick<Actor["session"], "operatorId" | "email" | "role">

/** The operators of the console, with the e-mails that the role of who asks may see. */
export async function operatorsShownTo(
  { console }: Pick<ConsoleServices, "console">,
  viewer: Viewer,
): Promise<readonly OperatorListed[]> {
  const all = await console.operators.list()
  return all.map((operator) => shownTo(viewer, operator))
}

function shownTo(viewer: Viewer, operator: OperatorListed): OperatorListed {
  const isOwn = operator.id === viewer.operatorId
  return { ...operator, email: isOwn ? operator.email : emailShownTo(viewer.role, operator.email) }
}

/** `seen`: what a form says that the operator had seen; it changes with the account. */
export type OperatorAccount = {
  readonly operator: OperatorListed
  readonly sessions: readonly SessionListed[]
  readonly state: AccountState
  readonly seen: string
}

/** An operator's account with its open sessions; null for an unknown id. */
export async function operatorAccount(
  services: Pick<ConsoleServices, "console" | "now">,
  viewer: Viewer,
  id: string,
): Promise<OperatorAccount | null> {
  const { console, now } = services
  const operator = (await console.operators.list()).find((it) => it.id === id)
  if (!operator) return null
  const { idle, longest } = console
  const sessions = await console.operators.sessions(id, { now: now(), idle, longest })
  const state = {
    isOwn: id === viewer.operatorId,
    isDisabled: operator.disabledAt !== null,
    hasSessions: sessions.length > 0,
  }
  const seen = [operator.disabledAt ?? "", operator.isSetUp, state.hasSessions].join(" ")
  return { operator: shownTo(viewer, operator), sessions, state, seen }
}

type SentForm = {
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

const problem = <T extends string>(it: T): FormProblem<T> => ({ kind: "problem", problem: it })

export type NewOperatorForm = SentForm & { readonly email: string; readonly role: string }
export type NewOperatorProblem = "reason-missing" | "email-invalid" | "role-missing" | "exists"

/** Adds an operator with a form of the console, and writes the audit log. The one-time link is shown once. */
export async function addOperatorByForm(
  services: ConsoleServices,
  actor: Actor,
  form: NewOperatorForm,
): Promise<FormOutcome<Invitation, NewOperatorProblem>> {
  const email = form.email.trim()
  const role = operatorRoles.find((it) => it === form.role)
  const id = services.newId()
  const outcome = await runOperatorForm<Invited, NewOperatorProblem>(
    services,
    actor,
    {
      ...askedOf(form),
      action: "add-operator",
      subject: `operator ${id}`,
      problem: newOperatorProblem(form, email, role),
    },
    async () => {
      const account = { id, email, role: role ?? "viewer", at: services.now() }
      const value = await addOperator(adminOf(services), account, changedBy(actor))
      if (isInvitation(value)) return { after: { email, role }, value }
      return { after: { error: value === "unchanged" ? "exists" : value }, value }
    },
  )
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  if (isInvitation(value)) return { kind: "done", value }
  return value === "unchanged" ? problem("exists") : { kind: "forbidden" }
}

function newOperatorProblem(
  { reason }: NewOperatorForm,
  email: string,
  role: OperatorRole | undefined,
): NewOperatorProblem | null {
  if (!isEmail(email)) return "email-invalid"
  if (!role) return "role-missing"
  return missingReason(reason)
}

export type AccountForm = SentForm & { readonly action: AccountAction; readonly seen: string }
export type AccountProblem = "reason-missing" | "changed" | "not-allowed"

type AccountOutcome =
  /** The one-time link of a reset; null for other actions. */
  FormOutcome<Invitation | null, AccountProblem> | { readonly kind: "no-such-operator" }

/** Does what a form of an operator's page asks for, if the account still allows it, and writes the audit log. */
export async function actOnAccount(
  services: ConsoleServices,
  actor: Actor,
  { id, form }: { readonly id: string; readonly form: AccountForm },
): Promise<AccountOutcome> {
  const account = await operatorAccount(services, actor.session, id)
  if (!account) return { kind: "no-such-operator" }
  const { action } = form
  const request = {
    ...askedOf(form),
    action,
    subject: `operator ${id}`,
    problem: accountProblem(account, form),
  }
  const by = changedBy(actor)
  const outcome = await runOperatorForm(services, actor, request, () =>
    effects[action](services, account, by),
  )
  if (outcome.kind !== "done") return outcome
  if (outcome.value === "no-owner") return { kind: "forbidden" }
  return outcome.value === "unchanged" ? problem("changed") : { kind: "done", value: outcome.value }
}

function accountProblem(
  account: OperatorAccount,
  { action, seen, reason }: AccountForm,
): AccountProblem | null {
  if (seen !== account.seen) return "changed"
  if (!accountAllows(account.state, action)) return "not-allowed"
  return missingReason(reason)
}

type Effect = (
  services: ConsoleServices,
  account: OperatorAccount,
  by: ChangedBy,
) => Promise<{
  before?: unknown
  after?: unknown
  value: Invited | null
}>

const effects: Readonly<Record<AccountAction, Effect>> = {
  async "reset-operator"(services, { operator, state }, by) {
    const value = await resetOperator(adminOf(services), { operator, at: services.now() }, by)
    const before = { disabled: state.isDisabled }
    return isInvitation(value) ? { before, value } : { before, after: { error: value }, value }
  },
  async "end-operator-sessions"({ console, now }, { operator }) {
    const ended = await console.operators.endSessions(operator.id, now())
    return { after: { ended }, value: null }
  },
  async "disable-operator"({ console, now }, { operator, sessions }, by) {
    const change = await console.operators.disable(operator.id, now(), by)
    if (change === "done") return { after: { disabled: true, sessionsEnded: sessions.length }, value: null }
    return { after: { error: change }, value: change }
  },
}

const changedBy = ({ session: { operatorId, email } }: Actor): ChangedBy => ({ operatorId, operator: email })

const askedOf = ({ reason, formKey, proof }: SentForm) => ({ reason, formKey, proof })

function adminOf({ console, shop }: { readonly console: Console } & Pick<ConsoleServices, "shop">) {
  return { operators: console.operators, seal: console.seal, publicUrl: shop.publicUrl }
}
