import type { OperatorSecrets } from "~/billing/operators/operators"
import type { ConsoleServices } from "~/context/services.server"
import { recoveryCodeHash } from "~/security/operator-tokens.server"
import { loggedLimit } from "~/security/rate-limits.server"
import { totpCounter } from "~/security/totp.server"

/** What an operator types: a code of the authenticator app, or a recovery code. */
export type Factors = { readonly email: string; readonly password: string; readonly code: string }

export type FactorCheck =
  | { readonly kind: "right"; readonly operator: OperatorSecrets; readonly byRecoveryCode: boolean }
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type AttemptPlace = {
  readonly address: string | null
  readonly isSignedIn: boolean
  readonly device?: string | null
}

type FactorServices = Pick<ConsoleServices, "console" | "rateLimits" | "now" | "clockAhead" | "log">

/**
 * Checks password and code together: an answer does not tell which of them was wrong. Each code is accepted once. Counted
 * before it is checked, so that concurrent guesses count too. Guesses of strangers must not lock the operator out of a session, in which
 * they are given again (`isSignedIn`), nor of a browser in which the operator has signed in before (`device`: its id).
 */
export async function checkFactors(
  services: FactorServices,
  { email, password, code }: Factors,
  { address, isSignedIn, device = null }: AttemptPlace,
): Promise<FactorCheck> {
  const { rateLimits, log } = services
  const who = { email: email.trim().toLowerCase(), address, visitor: null, isSignedIn, device }
  const allowed = await loggedLimit(
    log,
    { limit: "operator-sign-in", address },
    rateLimits.operatorSignIn(who),
  )
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  const operator = await services.console.operators.checkPassword(email, password)
  const spent = operator && (await spendCode(services, operator, code))
  if (!operator || !spent) return { kind: "wrong" }
  await rateLimits.operatorSignedIn(who)
  return { kind: "right", operator, byRecoveryCode: spent === "recovery" }
}

async function spendCode(
  services: Pick<FactorServices, "console" | "now" | "clockAhead">,
  { id, totpSecret }: OperatorSecrets,
  typed: string,
): Promise<"app" | "recovery" | null> {
  const { operators, seal } = services.console
  const digits = withoutSpaces(typed)
  if (!/^\d{6}$/.test(digits))
    return (await operators.spendRecoveryCode(id, recoveryCodeHash(typed))) ? "recovery" : null
  const secret = seal.open(totpSecret)
  const counter = secret === null ? null : appCodeCounter(services, secret, digits)
  return counter !== null && (await operators.spendCode(id, counter)) ? "app" : null
}

const withoutSpaces = (code: string) => code.replace(/\s/g, "")

/** Time step of a code as an operator's phone shows it, which does not follow the clock of a sandbox; null if it is wrong. */
export function appCodeCounter(
  { now, clockAhead }: Pick<FactorServices, "now" | "clockAhead">,
  secret: string,
  typed: string,
): number | null {
  return totpCounter(secret, withoutSpaces(typed), now() - clockAhead())
}
