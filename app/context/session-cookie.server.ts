import { createHash } from "node:crypto"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import type { Seal } from "~/security/cookie-encryption.server"
import { type CheckoutSession, emptySession, SealedSession } from "./session.server"

/** 30 days (spec, section 9), in seconds. */
export const SESSION_SECONDS = (30 * DAY) / SECOND

/** Browsers keep no cookie over 4 KB; a longer session is not written at all. */
const MOST_BYTES = 3_800

/** A cookie that cannot be read (another key, too old, another version, forged) is an empty session, not an error. */
export function decodeSession(seal: Seal, cookie: string | undefined, now: Instant): CheckoutSession {
  const text = cookie && seal.open(cookie)
  if (!text) return emptySession
  const opened = SealedSession.safeParse(JSON.parse(text))
  if (!opened.success || hasRunOut(opened.data.sealedAt, now)) return emptySession
  const { id, ...session } = opened.data
  return whileProven({ ...session, id: id ?? idOf(cookie) }, now)
}

/** Being used makes no proof younger: after thirty days only what this browser has ordered itself is left. */
function whileProven(session: CheckoutSession, now: Instant): CheckoutSession {
  const { proof, orderByProof } = session
  if (proof !== null && !hasRunOut(proof.at, now)) return session
  const orderId = orderByProof ? null : session.orderId
  return { ...session, customer: null, proof: null, orderId, orderByProof: false }
}

function hasRunOut(since: Instant, now: Instant): boolean {
  return now - since > SESSION_SECONDS * SECOND
}

/** Cookies of before sessions had names: every copy of the same one is the same session. */
function idOf(cookie: string): string {
  return createHash("sha256").update(cookie).digest("base64url").slice(0, 22)
}

/** The cookie's value; throws rather than lose a session without a word. */
export function encodeSession(seal: Seal, session: CheckoutSession): string {
  const sealed = seal.seal(JSON.stringify(session))
  if (sealed.length > MOST_BYTES) throw new Error(`A session of ${sealed.length} bytes does not fit a cookie`)
  return sealed
}
