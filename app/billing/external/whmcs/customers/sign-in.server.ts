import { z } from "zod"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ResellerSignIn } from "~/billing/resellers"
import { nullOnError } from "../client/errors"
import { Flag, Id } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import type { WhmcsClient } from "./client-schema"
import { clientBy, customerAs, EMAIL_TAKEN, newClient } from "./clients.server"

const LoginResponse = z.object({ userid: Id, twoFactorEnabled: Flag })

/**
 * Verifies an email and password; null if invalid. Since WHMCS 8 a login belongs to a user, who may manage several
 * clients, so the user must own the client with that email. Users with two-factor authentication are rejected: the
 * checkout cannot ask for the second factor. See https://developers.whmcs.com/api-reference/validatelogin/.
 */
export async function signedIn(
  whmcs: Whmcs,
  proof: { email: string; password: string },
): Promise<ExternalCustomer | null> {
  const params = { email: proof.email.trim(), password2: proof.password }
  const login = await nullOnError(
    /(email|password).*invalid|invalid.*(email|password|login)/i,
    whmcs.api.write("ValidateLogin", params, LoginResponse),
  )
  if (!login || login.twoFactorEnabled) return null
  const client = await clientBy(whmcs, proof.email)
  return client && owns(login.userid, client) ? customerAs(whmcs, client) : null
}

function owns(userId: string, { users, owner_user_id, clientId }: WhmcsClient): boolean {
  if (owner_user_id !== null) return owner_user_id === userId
  // Before version 8 WHMCS had no users, and `userid` is the client id.
  if (users.length === 0) return clientId === userId
  return users.some(({ id, is_owner }) => is_owner && id === userId)
}

/**
 * Implements `resellerAuth`: creates an account, or signs in if the email has one. Null if the password does not match.
 */
export async function signUpOrSignIn(
  whmcs: Whmcs,
  request: ResellerSignIn,
): Promise<{ customer: ExternalCustomer; made: boolean } | null> {
  const made = request.existing
    ? null
    : await nullOnError(EMAIL_TAKEN, newClient(whmcs, request, request.password))
  if (made) return { customer: made, made: true }
  const customer = await signedIn(whmcs, request)
  return customer && { customer, made: false }
}
