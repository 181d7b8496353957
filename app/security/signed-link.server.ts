import { BASE } from "~/domain/base-path"
import { type Instant, SECOND } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import type { Signer } from "./hmac.server"

/** A sign-in link: it proves that the e-mail is the visitor's, and may select a service. */
type Linked = {
  readonly publicUrl: string
  readonly email: string
  /** Valid before this time, in whole seconds. */
  readonly expiresAt: Instant
  readonly serviceId: string | null
}

/** Query parameters of a link. `expires`: seconds since 1970, as text. */
type LinkParameters = {
  readonly email: string
  readonly expires: string
  readonly serviceId: string | null
  readonly signature: string
}

/** `expired`: signed by the operator, but past its date. `invalid`: not signed by the operator. */
export type LinkVerdict = "valid" | "expired" | "invalid"

/** URL of a sign-in link for a customer (specification, Identity). */
export function signedLink(signer: Signer, { publicUrl, email, expiresAt, serviceId }: Linked): string {
  const expires = String(Math.floor(expiresAt / SECOND))
  const query = new URLSearchParams({ email, expires })
  if (serviceId !== null) query.set("serviceid", serviceId)
  query.set("signature", signer.sign(signedText({ email, expires, serviceId })))
  return `${publicUrl}${BASE}/?${query}`
}

/** Verifies signature and expiry of a link. */
export function verifyLink(
  signer: Signer,
  { signature, ...body }: LinkParameters,
  now: Instant,
): LinkVerdict {
  if (!signer.verify(signedText(body), signature)) return "invalid"
  return now < Number(body.expires) * SECOND ? "valid" : "expired"
}

/** The signed text. JSON separates the parts whatever they contain, so no two links have the same text. */
function signedText({ email, expires, serviceId }: Omit<LinkParameters, "signature">): string {
  return JSON.stringify(["link", normalizeEmail(email), expires, serviceId ?? ""])
}
