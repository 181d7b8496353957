import { randomBytes, timingSafeEqual } from "node:crypto"
import { BillingError, BillingOverloaded } from "~/billing/billing"
import { deriveKey } from "~/security/password-threads.server"
import { PoolOverloaded } from "~/security/worker-pool.server"
import { type PasswordCost, passwordCost } from "./password-cost.server"

type Hash = PasswordCost & { readonly salt: Buffer; readonly key: Buffer }

const SALT = 16
const KEY = 32
const STORED = /^scrypt\$(1?\d|20)\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/

/** Dummy hash for unknown customers, so that response times do not reveal whether an account exists. */
const DUMMY_HASH: Hash = { ...passwordCost, salt: Buffer.alloc(SALT), key: Buffer.alloc(KEY) }

/** Hashes a password with a new random salt. Returns `scrypt$log2N$r$p$salt$key`, salt and key in Base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT)
  const key = await keyOf(password, { ...passwordCost, salt }, KEY)
  const { log2N, r, p } = passwordCost
  return ["scrypt", log2N, r, p, salt.toString("base64"), key.toString("base64")].join("$")
}

/** Verifies a password in constant time. A null hash takes as long and never matches. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const hash = stored === null ? DUMMY_HASH : read(stored)
  const key = await keyOf(password, hash, hash.key.length)
  return timingSafeEqual(key, hash.key) && stored !== null
}

/**
 * Derives the key in a dedicated thread pool with limited concurrency. In Node's thread pool, database flushes would
 * queue behind the hashes. Throws `BillingOverloaded` if the queue is full.
 */
async function keyOf(
  password: string,
  { log2N, r, p, salt }: Omit<Hash, "key">,
  length: number,
): Promise<Buffer> {
  try {
    // Keyboards encode accented letters as one code point (NFC) or two (NFD).
    return await deriveKey({ password: password.normalize("NFKC"), salt, length, N: 2 ** log2N, r, p })
  } catch (cause) {
    if (!(cause instanceof PoolOverloaded)) throw cause
    throw new BillingOverloaded(cause.retryAfterSeconds, { cause })
  }
}

function read(stored: string): Hash {
  const [, log2N, r, p, salt = "", key = ""] = STORED.exec(stored) ?? []
  if (!key) throw new BillingError("unreadable", "Invalid stored password hash")
  return {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  }
}
