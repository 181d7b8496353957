import { BASE } from "~/domain/base-path"
import { type Instant, SECOND } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/email"
import type { Signer } from "./hmac.server"

/** A link that proves whose e-mail it names; with a service, it leads to that one. */
type Linked = {
  readonly publicUrl: string
  readonly email: string
  /** Good before this, to the second. */
  readonly expiresAt: Instant
  readonly serviceId: string | null
}

/** What a link says in its query: `expires` in seconds since 1970, as text. */
type LinkParameters = {
  readonly email: string
  readonly expires: string
  readonly serviceId: string | null
  readonly signature: string
}

/** `too-old`: signed by the operator, and no longer good. `forged`: not what he has signed. */
export type LinkVerdict = "valid" | "expired" | "invalid"

/** The address of a link that the operator hands to a customer (specification, Identity). */
export function signedLink(signer: Signer, { publicUrl, email, expiresAt, serviceId }: Linked): string {
  const expires = String(Math.floor(expiresAt / SECOND))
  const query = new URLSearchParams({ email, expires })
  if (serviceId !== null) query.set("serviceid", serviceId)
  query.set("signature", signer.sign(signedText({ email, expires, serviceId })))
  return `${publicUrl}${BASE}/?${query}`
}

/** Whether the operator has signed exactly what a link says, and until when. */
export function verifyLink(
  signer: Signer,
  { signature, ...body }: LinkParameters,
  now: Instant,
): LinkVerdict {
  if (!signer.verify(signedText(body), signature)) return "invalid"
  return now < Number(body.expires) * SECOND ? "valid" : "expired"
}

/** One text for one meaning: JSON keeps the parts apart, whatever is in them. */
function signedText({ email, expires, serviceId }: Omit<LinkParameters, "signature">): string {
  return JSON.stringify(["link", normalizeEmail(email), expires, serviceId ?? ""])
}
