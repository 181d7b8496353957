import { createHash, hkdfSync, timingSafeEqual } from "node:crypto"
import { jwtVerify, SignJWT } from "jose"
import { DAY, type Instant, SECOND } from "~/domain/calendar"

/** Who may call the served API, and in whose name. */
export type ApiAccess = {
  /** Whether it is one of the operator's keys; takes as long for every key that is none. */
  isKey(key: string | null): boolean
  /** What a caller shows to speak for a customer, for a day. */
  token(customerId: string, at: Instant): Promise<string>
  /** The customer of a token; null for one that is not ours or has ended. */
  customerOf(token: string, at: Instant): Promise<string | null>
}

const ALGORITHM = "HS256"
const ISSUER = "boxoffice"
const LASTS = DAY / SECOND

/** `keys`: what callers send, any of which holds (rotation). `secrets`: the first signs, any is recognised. */
export function openApiAccess({
  keys,
  secrets,
}: {
  readonly keys: readonly string[]
  readonly secrets: readonly string[]
}): ApiAccess {
  const digests = keys.map(digestOf)
  const signing = secrets.map((secret) => new Uint8Array(hkdfSync("sha256", secret, "boxoffice", "api", 32)))
  const [first] = signing
  if (!first) throw new Error("No secret to sign with")
  return {
    isKey(key) {
      const given = digestOf(key ?? "")
      // Every key is looked at, so that the time tells nothing of which one it was.
      return digests.filter((right) => timingSafeEqual(right, given)).length > 0
    },

    token: (customerId, at) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(customerId)
        .setIssuedAt(Math.floor(at / SECOND))
        .setExpirationTime(Math.floor(at / SECOND) + LASTS)
        .sign(first),

    async customerOf(token, at) {
      const read = await Promise.all(signing.map((secret) => subjectOf(token, secret, at)))
      return read.find((subject) => subject !== null) ?? null
    },
  }
}

async function subjectOf(token: string, secret: Uint8Array, at: Instant): Promise<string | null> {
  const checks = { algorithms: [ALGORITHM], issuer: ISSUER, currentDate: new Date(at) }
  const read = await jwtVerify(token, secret, { ...checks, requiredClaims: ["sub", "exp"] }).catch(() => null)
  return read?.payload.sub ?? null
}

/** Keys of any length compare as digests of one. */
function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest()
}
