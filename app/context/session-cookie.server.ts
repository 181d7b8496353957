import { createHash } from "node:crypto"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import type { Seal } from "~/security/cookie-encryption.server"
import { type CheckoutSession, emptySession, knownAccountOf, SealedSession } from "./session.server"

export const SESSION_COOKIE = "checkout"

/** 30 days (specification, Constants), in seconds. */
export const SESSION_SECONDS = (30 * DAY) / SECOND

/** Browsers drop cookies above 4 KB: encoding a longer session throws. */
const MAX_COOKIE_BYTES = 3_800

/** An unreadable cookie (unknown key, expired, other version, forged) is an empty session, not an error. */
export function decodeSession(seal: Seal, cookie: string | undefined, now: Instant): CheckoutSession {
  const text = cookie && seal.open(cookie)
  if (!text) return emptySession
  const opened = SealedSession.safeParse(JSON.parse(text))
  if (!opened.success || hasRunOut(opened.data.sealedAt, now)) return emptySession
  const { id, ...session } = opened.data
  return whileAuthenticated({ ...session, id: id ?? idOf(cookie) }, now)
}

/**
 * Use does not renew a proof: 30 days after it, only what this browser ordered itself remains, and that it was signed in. A customer
 * without a proof, as earlier versions stored one, was not.
 */
function whileAuthenticated(session: CheckoutSession, now: Instant): CheckoutSession {
  const { proof, orderByProof } = session
  if (proof !== null && !hasRunOut(proof.at, now)) return session
  const orderId = orderByProof ? null : session.orderId
  const knownAccount = proof === null ? session.knownAccount : knownAccountOf(session)
  return { ...session, customer: null, proof: null, knownAccount, orderId, orderByProof: false }
}

function hasRunOut(since: Instant, now: Instant): boolean {
  return now - since > SESSION_SECONDS * SECOND
}

/** Id of a cookie from before sessions had ids: all copies of one cookie are one session. */
function idOf(cookie: string): string {
  return createHash("sha256").update(cookie).digest("base64url").slice(0, 22)
}

/** The cookie's value. Throws if it exceeds the limit, so that no session is lost silently. */
export function encodeSession(seal: Seal, session: CheckoutSession): string {
  const sealed = seal.seal(JSON.stringify(session))
  if (sealed.length > MAX_COOKIE_BYTES)
    throw new Error(`Session too large for a cookie: ${sealed.length} bytes`)
  return sealed
}
