import { type Instant, SECOND } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { endOfCycles, type Term } from "~/domain/services/term"
import type { Signer } from "./hmac.server"

/** A service whose renewal a link opens, in the term that the link was made for. */
type Linked = Pick<Service, "cycle"> & {
  readonly serviceId: string
  readonly term: Term
}

/** Token of a renewal link: the service, its expiry in seconds since 1970, and our signature. */
export function renewalToken(signer: Signer, linked: Linked, expiresAt: Instant): string {
  const expires = String(Math.floor(expiresAt / SECOND))
  return `${linked.serviceId}.${expires}.${signer.sign(signedText(linked, expires))}`
}

/** The service that a token names, signed or not; `isRenewalToken` has the last word. */
export function serviceIdOfToken(token: string): string {
  return token.split(".", 1)[0] ?? ""
}

/** Whether a token was signed for a service in its present term and has not expired: a renewal uses it up. */
export function isRenewalToken(signer: Signer, token: string, { at, ...linked }: Linked & { at: Instant }) {
  const [serviceId, expires = "", signature = ""] = token.split(".")
  const texts = [signedText(linked, expires), formerText(linked, expires)]
  if (serviceId !== linked.serviceId || !texts.some((text) => signer.verify(text, signature))) return false
  return at < Number(expires) * SECOND
}

/**
 * The end of the paid cycles tells one term from another: neither days that are given nor another plan that begins at the end move it.
 * The purpose is signed too, so that no other link of the shop is one.
 */
function signedText({ serviceId, term, cycle }: Linked, expires: string): string {
  return JSON.stringify(["renewal link", serviceId, endOfCycles(term, cycle ?? "monthly"), expires])
}

/** What earlier versions have signed in messages that were sent already. */
function formerText({ serviceId, term }: Linked, expires: string): string {
  return JSON.stringify(["renewal link", serviceId, term.anchor, term.count, expires])
}
