import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { LRUCache } from "lru-cache"
import { derivedKeys } from "./derived-keys.server"

/**
 * Encrypts and authenticates small texts for a cookie: AES-256-GCM, key derived from a secret by HKDF-SHA256.
 * Synchronous on purpose: the same through WebCrypto costs ten times as much on every request, more than the
 * rest of the request's work together (specification, Identity).
 */
export type Seal = {
  seal(text: string): string
  open(sealed: string): string | null
  /** A stored text as the first secret encrypts it: the same if it does already. Null if no secret decrypts it. */
  renew(sealed: string): string | null
}

/** Encryption of stored secrets with `OPERATOR_SECRETS`: each kind has keys of its own. */
export type SecretSeals = { readonly operators: Seal; readonly webhooks: Seal }

const NONCE = 12
const TAG = 16
/** Decrypted cookies that are cached: a polling client sends the same cookie again and again. */
const MAX_CACHED = 500

/** The first secret encrypts; every secret of the list decrypts, so that secrets can be rotated. */
export function sealWith(secrets: readonly string[], purpose: string): Seal {
  const keys = derivedKeys(secrets, purpose)
  const [sealing] = keys
  const opened = new LRUCache<string, string>({ max: MAX_CACHED })
  function seal(text: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv("aes-256-gcm", sealing, nonce)
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")
  }
  return {
    seal,
    renew(sealed) {
      if (openedByAny([sealing], sealed) !== null) return sealed
      const text = openedByAny(keys, sealed)
      return text === null ? null : seal(text)
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
