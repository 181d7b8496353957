import type { OperatorSetUp } from "~/billing/operators/operators"
import type { ConsoleServices } from "~/context/services.server"
import { rateNewPassword } from "~/flows/customers/rate-new-password.server"
import { newRecoveryCodes, recoveryCodeHash, tokenHash } from "~/security/operator-tokens.server"
import { totpUri } from "~/security/totp.server"
import { appCodeCounter } from "../check-factors.server"
import { deviceToken } from "./known-device.server"
import { type OperatorBrowser, type OperatorSignIn, openOperatorSession } from "./sign-in-operator.server"

/** What the page of a one-time link shows. `secret`: for typing, `uri`: for the QR code. */
export type SetUpPage = { readonly email: string; readonly secret: string; readonly uri: string }

type SignedIn = Extract<OperatorSignIn, { kind: "signed-in" }>

export type SetUpOutcome =
  | ({ readonly kind: "done"; readonly recoveryCodes: readonly string[] } & Pick<
      SignedIn,
      "token" | "device"
    >)
  | { readonly kind: "guessable" | "wrong-code" | "link-used" }
  | { readonly kind: "too-many" | "overloaded"; readonly retryAfterSeconds: number }

/** The page of a one-time link; null for an unknown, used or expired one. Reading it uses nothing up. */
export async function setUpPage(
  services: Pick<ConsoleServices, "console" | "now" | "shop">,
  token: string,
): Promise<SetUpPage | null> {
  const invited = await invitedBy(services, token)
  if (!invited) return null
  const { email } = invited.operator
  const { secret } = invited
  return { email, secret, uri: totpUri({ secret, email, issuer: services.shop.brand.name }) }
}

/** Sets password and recovery codes by a one-time link, once the app shows the right code, and signs in. */
export async function setUpOperator(
  services: ConsoleServices,
  { token, password, code }: { token: string; password: string; code: string },
  from: OperatorBrowser,
): Promise<SetUpOutcome> {
  const invited = await invitedBy(services, token)
  if (!invited) return { kind: "link-used" }
  const { operator, secret } = invited
  const who = { address: from.address, visitor: operator.id, authenticated: false }
  const verdict = await rateNewPassword(services, { password, email: operator.email }, who)
  if (verdict.kind !== "good") return verdict
  const counter = appCodeCounter(services, secret, code)
  if (counter === null) return { kind: "wrong-code" }
  const recoveryCodes = newRecoveryCodes()
  const isFirst = await services.console.operators.setUp({
    id: operator.id,
    linkHash: tokenHash(token),
    password,
    counter,
    codeHashes: recoveryCodes.map(recoveryCodeHash),
  })
  if (!isFirst) return { kind: "link-used" }
  const session = await openOperatorSession(services, operator, { ...from, byRecoveryCode: false })
  if (session === null) return { kind: "link-used" }
  const device = deviceToken(services, operator.email, services.newId())
  return { kind: "done", token: session, device, recoveryCodes }
}

type Invited = { readonly operator: OperatorSetUp; readonly secret: string }

async function invitedBy(
  { console: { operators, seal }, now }: Pick<ConsoleServices, "console" | "now">,
  token: string,
): Promise<Invited | null> {
  const operator = await operators.byLink(tokenHash(token), now())
  const secret = operator && seal.open(operator.totpSecret)
  return operator && secret ? { operator, secret } : null
}
