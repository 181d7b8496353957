import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto"
import { SignJWT } from "jose"
import { type Instant, SECOND } from "~/domain/calendar"

/** The name and the private key of an API key, as the provider hands them out. */
export type CoinbaseKey = { readonly id: string; readonly secret: string }

/** How long a token is good for, in seconds (reference: coinbase, section 2). */
const GOOD_FOR = 120

/** Makes the token that proves one request: `method` and `url` are the ones it is for. */
export type TokenMaker = (method: string, url: URL, at: Instant) => Promise<string>

/** Throws at once, without repeating it, when the secret is no key. */
export function tokensWith({ id, secret }: CoinbaseKey): TokenMaker {
  if (id === "") throw new Error("COINBASE_KEY_ID is missing")
  const { key, alg } = privateKey(secret)
  return (method, url, at) => {
    const issued = Math.floor(at / SECOND)
    return new SignJWT({ uris: [`${method} ${url.host}${url.pathname}`] })
      .setProtectedHeader({ alg, kid: id, typ: "JWT", nonce: randomBytes(16).toString("hex") })
      .setSubject(id)
      .setIssuer("cdp")
      .setIssuedAt(issued)
      .setNotBefore(issued)
      .setExpirationTime(issued + GOOD_FOR)
      .sign(key)
  }
}

/** A PEM with an EC key, or the base64 of 64 bytes: an Ed25519 seed and its public half. */
function privateKey(secret: string): { key: KeyObject; alg: "ES256" | "EdDSA" } {
  try {
    if (secret.includes("BEGIN")) {
      // In an environment variable the line breaks are often written out.
      const key = createPrivateKey(secret.replaceAll("\\n", "\n"))
      if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return { key, alg: "ES256" }
    }
    const bytes = Buffer.from(secret, "base64")
    if (bytes.length === 64) return { key: ed25519(bytes), alg: "EdDSA" }
  } catch {
    // What Node says of a key quotes parts of it.
  }
  throw new Error("COINBASE_KEY_SECRET is neither the PEM of a P-256 key nor the base64 of 64 bytes")
}

function ed25519(bytes: Buffer): KeyObject {
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString("base64url"))
  return createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" })
}
