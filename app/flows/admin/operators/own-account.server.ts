import type { SessionListed } from "~/billing/operators/operators"
import type { ConsoleServices } from "~/context/services.server"
import { rateNewPassword } from "~/flows/customers/rate-new-password.server"
import { newRecoveryCodes, recoveryCodeHash } from "~/security/operator-tokens.server"
import {
  type ActionOutcome,
  type ActionRequest,
  type Actor,
  runOperatorAction,
} from "../run-operator-action.server"

export type OwnAccount = { readonly codesLeft: number; readonly sessions: readonly SessionListed[] }

/** What an operator sees of the own account. */
export async function ownAccount(
  { console: { operators, idle, longest }, now }: Pick<ConsoleServices, "console" | "now">,
  { session }: Actor,
): Promise<OwnAccount> {
  const [codesLeft, sessions] = await Promise.all([
    operators.recoveryCodesLeft(session.operatorId),
    operators.sessions(session.operatorId, { now: now(), idle, longest }),
  ])
  return { codesLeft, sessions }
}

type OwnRequest = Pick<ActionRequest, "formKey" | "proof">

/** Replaces the recovery codes; the operator's other sessions end. Returns the codes, which are shown once. */
export async function replaceRecoveryCodes(
  services: ConsoleServices,
  actor: Actor,
  request: OwnRequest,
): Promise<ActionOutcome<readonly string[]>> {
  const { id, operatorId } = actor.session
  const entry = own(actor, request, "new-recovery-codes")
  const outcome = await runOperatorAction<readonly string[] | null>(services, actor, entry, async () => {
    const codes = newRecoveryCodes()
    const codeHashes = codes.map(recoveryCodeHash)
    const change = { codeHashes, keptSession: id, at: services.now() }
    const isDone = await services.console.operators.replaceRecoveryCodes(operatorId, change)
    return isDone ? { value: codes } : { after: sessionEnded, value: null }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value ? { kind: "done", value: outcome.value } : { kind: "stale-form" }
}

/** The operator was reset or disabled while the form was being carried out. */
const sessionEnded = { error: "session-ended" } as const

type PasswordProblem = { readonly kind: "guessable" } | { readonly kind: "overloaded" }

/** Changes the password; the operator's other sessions end. A guessable password is an outcome, not a change. */
export async function changeOwnPassword(
  services: ConsoleServices,
  actor: Actor,
  { password, ...request }: OwnRequest & { readonly password: string },
): Promise<ActionOutcome<null> | PasswordProblem> {
  const { id, operatorId, email } = actor.session
  const who = { address: actor.address, visitor: operatorId, authenticated: true }
  const verdict = await rateNewPassword(services, { password, email }, who)
  if (verdict.kind !== "good") return { kind: verdict.kind === "guessable" ? "guessable" : "overloaded" }
  const entry = own(actor, request, "change-password")
  const outcome = await runOperatorAction<boolean>(services, actor, entry, async () => {
    const change = { password, keptSession: id, at: services.now() }
    const isDone = await services.console.operators.changePassword(operatorId, change)
    return isDone ? { value: true } : { after: sessionEnded, value: false }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value ? { kind: "done", value: null } : { kind: "stale-form" }
}

/** Ends one of the operator's own sessions. */
export function endOwnSession(
  services: ConsoleServices,
  actor: Actor,
  { sessionId, ...request }: OwnRequest & { readonly sessionId: string },
): Promise<ActionOutcome<boolean>> {
  const { operatorId } = actor.session
  return runOperatorAction(services, actor, own(actor, request, "end-session"), async () => {
    const ended = await services.console.operators.endSession(operatorId, sessionId, services.now())
    return { after: { session: sessionId, ended }, value: ended }
  })
}

function own({ session }: Actor, request: OwnRequest, action: ActionRequest["action"]): ActionRequest {
  return { ...request, action, subject: `operator ${session.operatorId}`, reason: null }
}
