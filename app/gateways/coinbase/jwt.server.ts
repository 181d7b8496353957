import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto"
import { SignJWT } from "jose"
import { type Instant, SECOND } from "~/domain/calendar"

/** Id and private key of an API key, in the provider's format. */
export type CoinbaseKey = { readonly id: string; readonly secret: string }

/** Lifetime of a token in seconds (docs/gateways.md, Coinbase). */
const GOOD_FOR = 120

/** Creates the JWT for one request; the token is valid for this `method` and `url` only. */
export type TokenMaker = (method: string, url: URL, at: Instant) => Promise<string>

/** Creates a token maker for an API key. Throws when the secret is not a valid key; the message does not contain it. */
export function tokensWith({ id, secret }: CoinbaseKey): TokenMaker {
  if (id === "") throw new Error("COINBASE_KEY_ID is required")
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

/** Parses a PEM with a P-256 key, or base64 of 64 bytes: an Ed25519 seed followed by its public key. */
function privateKey(secret: string): { key: KeyObject; alg: "ES256" | "EdDSA" } {
  try {
    if (secret.includes("BEGIN")) {
      // In an environment variable line breaks are often escaped as \n.
      const key = createPrivateKey(secret.replaceAll("\\n", "\n"))
      if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return { key, alg: "ES256" }
    }
    const bytes = Buffer.from(secret, "base64")
    if (bytes.length === 64) return { key: ed25519(bytes), alg: "EdDSA" }
  } catch {
    // Node's error message quotes parts of the key.
  }
  throw new Error("Invalid COINBASE_KEY_SECRET: must be the PEM of a P-256 key, or 64 bytes in base64")
}

function ed25519(bytes: Buffer): KeyObject {
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString("base64url"))
  return createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" })
}
