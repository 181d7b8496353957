import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { LRUCache } from "lru-cache"

/**
 * Encrypts and authenticates small texts for a cookie: AES-256-GCM, key derived from a secret by HKDF-SHA256.
 * Synchronous on purpose: the same through WebCrypto costs ten times as much on every request, more than the
 * rest of the request's work together (specification, Identity).
 */
export type Seal = { seal(text: string): string; open(sealed: string): string | null }

const NONCE = 12
const TAG = 16
/** Decrypted cookies that are cached: a polling client sends the same cookie again and again. */
const MAX_CACHED = 500

/** The first secret encrypts; every secret of the list decrypts, so that secrets can be rotated. */
export function sealWith(secrets: readonly string[], purpose: string): Seal {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "boxoffice", purpose, 32)))
  const [sealing] = keys
  if (!sealing) throw new Error("No secret configured")
  const opened = new LRUCache<string, string>({ max: MAX_CACHED })
  return {
    seal(text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce)
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")
    },
    open(sealed) {
      const text = opened.get(sealed) ?? openedByAny(keys, sealed)
      if (text !== null) opened.set(sealed, text)
      return text
    },
  }
}

function openedByAny(keys: readonly Buffer[], sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url")
  // The last base64url character has unused bits: only the canonical spelling of the bytes is accepted.
  if (bytes.length < NONCE + TAG || bytes.toString("base64url") !== sealed) return null
  for (const key of keys) {
    const text = openedBy(key, bytes)
    if (text !== null) return text
  }
  return null
}

function openedBy(key: Buffer, bytes: Buffer): string | null {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString("utf8")
  } catch {
    // Encrypted with another key, or forged.
    return null
  }
}
