import { z } from "zod"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ResellerAccount } from "~/billing/resellers"
import { nullOnError } from "../client/errors"
import { Flag, Id } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import type { WhmcsClient } from "./client-schema"
import { clientBy, customerAs, EMAIL_TAKEN, newClient } from "./clients.server"

const LoginResponse = z.object({ userid: Id, twoFactorEnabled: Flag })

/**
 * Whose e-mail and password these are; null: nobody's. Since WHMCS 8 a login is a user's, who may look after many
 * clients: only the owner of the client with that e-mail is that client. Whoever has a second factor there cannot
 * show it here, so his password alone proves nothing.
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
  // Before version 8 users were clients.
  if (users.length === 0) return clientId === userId
  return users.some(({ id, is_owner }) => is_owner && id === userId)
}

/** As the port says. One who wants an account whose e-mail has one must prove that it is his. */
export async function resellerAccount(
  whmcs: Whmcs,
  account: ResellerAccount,
): Promise<{ customer: ExternalCustomer; made: boolean } | null> {
  const made = account.existing
    ? null
    : await nullOnError(EMAIL_TAKEN, newClient(whmcs, account, account.password))
  if (made) return { customer: made, made: true }
  const customer = await signedIn(whmcs, account)
  return customer && { customer, made: false }
}
