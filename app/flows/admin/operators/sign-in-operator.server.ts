import type { OperatorSecrets, OperatorSession } from "~/billing/operators/operators"
import type { ConsoleServices } from "~/context/services.server"
import { newToken, tokenHash } from "~/security/operator-tokens.server"
import { checkFactors, type Factors } from "../check-factors.server"
import { deviceToken, knownDevice } from "./known-device.server"

/** Where an operator signs in from. `device`: what the browser has kept of an earlier sign-in, not checked yet. */
export type OperatorBrowser = {
  readonly address: string | null
  readonly browser: string | null
  readonly device: string | null
}

/** `token`: for the cookie; only its hash is stored. `device`: by which the browser is known at the next sign-in. */
export type OperatorSignIn =
  | {
      readonly kind: "signed-in"
      readonly token: string
      readonly device: string
      readonly byRecoveryCode: boolean
    }
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type SignInServices = Pick<
  ConsoleServices,
  "console" | "rateLimits" | "now" | "clockAhead" | "log" | "newId" | "signer"
>

/** Signs an operator in by password and code, with a new session. Both outcomes are in the audit log. */
export async function signInOperator(
  services: SignInServices,
  factors: Factors,
  from: OperatorBrowser,
): Promise<OperatorSignIn> {
  const device = knownDevice(services, factors.email, from.device)
  const check = await checkFactors(services, factors, { address: from.address, isSignedIn: false, device })
  if (check.kind === "right") {
    const { operator, byRecoveryCode } = check
    const token = await openOperatorSession(services, operator, { ...from, byRecoveryCode })
    const id = device ?? services.newId()
    if (token !== null)
      return {
        kind: "signed-in",
        token,
        device: deviceToken(services, operator.email, id),
        byRecoveryCode,
      }
  }
  const refusal = check.kind === "right" ? ({ kind: "wrong" } as const) : check
  if (refusal.kind === "wrong") await recordRefusal(services, factors, from)
  return refusal
}

/** Only of known operators: strangers must not fill the log. */
async function recordRefusal(
  { console: { operators, auditLog }, now }: SignInServices,
  { email }: Factors,
  { address }: OperatorBrowser,
): Promise<void> {
  const operator = await operators.find(email)
  if (!operator) return
  await auditLog.append({
    at: now(),
    operatorId: operator.id,
    operator: operator.email,
    action: "sign-in",
    subject: `operator ${operator.id}`,
    outcome: "failed",
    after: { address },
  })
}

type SignedIn = Omit<OperatorBrowser, "device"> & { readonly byRecoveryCode: boolean }

type Proven = Pick<OperatorSecrets, "id" | "email"> & Partial<Pick<OperatorSecrets, "passwordMark">>

/** Opens a session with a token of its own. Returns the token; null if the access was taken away while it was proven. */
export async function openOperatorSession(
  { console: { operators, auditLog }, now, newId }: SignInServices,
  { id: operatorId, email, passwordMark }: Proven,
  { address, browser, byRecoveryCode }: SignedIn,
): Promise<string | null> {
  const token = newToken()
  const at = now()
  const session = { id: newId(), tokenHash: tokenHash(token), operatorId, passwordMark, at, address, browser }
  if (!(await operators.addSession(session))) return null
  await auditLog.append({
    at,
    operatorId,
    operator: email,
    action: "sign-in",
    subject: `operator ${operatorId}`,
    outcome: "done",
    after: { address, byRecoveryCode },
  })
  return token
}

/** The session of a cookie's token; null if it has ended. `isUse`: somebody has asked, so that the session does not rest. */
export function operatorSession(
  { console: { operators, idle, longest }, now }: Pick<ConsoleServices, "console" | "now">,
  { token, isUse }: { readonly token: string; readonly isUse: boolean },
): Promise<OperatorSession | null> {
  return operators.session(tokenHash(token), { now: now(), idle, longest, isUse })
}

/** Ends the operator's own session. */
export async function signOutOperator(
  { console: { operators, auditLog }, now }: Pick<ConsoleServices, "console" | "now">,
  { id, operatorId, email }: OperatorSession,
): Promise<void> {
  const at = now()
  await operators.endSession(operatorId, id, at)
  const entry = { at, action: "sign-out", subject: `operator ${operatorId}`, outcome: "done" } as const
  await auditLog.append({ ...entry, operatorId, operator: email })
}
