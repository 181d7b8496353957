import { createHash, timingSafeEqual } from "node:crypto"
import { jwtVerify, SignJWT } from "jose"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import { derivedKeys } from "./derived-keys.server"

/** API keys and customer tokens of the served API. */
export type ApiAccess = {
  /** Whether the key is one of the operator's, compared in constant time. */
  isKey(key: string | null): boolean
  /** Issues a token (JWT) by which a caller acts for a customer, valid for a day. */
  token(customerId: string, at: Instant): Promise<string>
  /** The customer of a token; null if it is invalid or expired. */
  customerOf(token: string, at: Instant): Promise<string | null>
}

const ALGORITHM = "HS256"
const ISSUER = "boxoffice"
const LASTS = DAY / SECOND

/** `keys`: accepted API keys, several during rotation. `secrets`: the first signs tokens, all verify them. */
export function openApiAccess({
  keys,
  secrets,
}: {
  readonly keys: readonly string[]
  readonly secrets: readonly string[]
}): ApiAccess {
  const digests = keys.map(digestOf)
  const signing = derivedKeys(secrets, "api")
  return {
    isKey(key) {
      const given = digestOf(key ?? "")
      // Compares every key, so that the duration does not depend on the matching one.
      return digests.filter((right) => timingSafeEqual(right, given)).length > 0
    },

    token: (customerId, at) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(customerId)
        .setIssuedAt(Math.floor(at / SECOND))
        .setExpirationTime(Math.floor(at / SECOND) + LASTS)
        .sign(signing[0]),

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

/** `timingSafeEqual` needs equal lengths, so digests are compared. */
function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest()
}
