import { randomBytes, timingSafeEqual } from "node:crypto"
import { BillingError, BillingOverloaded } from "~/billing/billing"
import { deriveKey } from "~/security/password-threads.server"
import { PoolOverloaded } from "~/security/worker-pool.server"

type Parameters = { readonly log2N: number; readonly r: number; readonly p: number }
type Hash = Parameters & { readonly salt: Buffer; readonly key: Buffer }

/** 32 MiB for each hashing, done three times over: what OWASP's cheat sheet for storing passwords asks of scrypt. */
const TODAY: Parameters = { log2N: 15, r: 8, p: 3 }
const SALT = 16
const KEY = 32
const STORED = /^scrypt\$(1?\d|20)\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/

/** Stands in for customers who are not there, so that looking for them takes as long. */
const NOBODYS: Hash = { ...TODAY, salt: Buffer.alloc(SALT), key: Buffer.alloc(KEY) }

/** A password as it is stored: a fresh salt, and everything that it takes to try a password against it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT)
  const key = await keyOf(password, { ...TODAY, salt }, KEY)
  const { log2N, r, p } = TODAY
  return ["scrypt", log2N, r, p, salt.toString("base64"), key.toString("base64")].join("$")
}

/** Whether it is the stored password; `null`, nobody's, takes as long and is never it. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const hash = stored === null ? NOBODYS : read(stored)
  const key = await keyOf(password, hash, hash.key.length)
  return timingSafeEqual(key, hash.key) && stored !== null
}

/**
 * Few hashes are computed at once, in threads of their own: in Node's threads the flush of the database would wait
 * behind them. Throws `BillingOverloaded` where too many wait already.
 */
async function keyOf(
  password: string,
  { log2N, r, p, salt }: Omit<Hash, "key">,
  length: number,
): Promise<Buffer> {
  try {
    // A letter with an accent is one character on one keyboard and two on another.
    return await deriveKey({ password: password.normalize("NFKC"), salt, length, N: 2 ** log2N, r, p })
  } catch (cause) {
    if (!(cause instanceof PoolOverloaded)) throw cause
    throw new BillingOverloaded(cause.retryAfterSeconds, { cause })
  }
}

function read(stored: string): Hash {
  const [, log2N, r, p, salt = "", key = ""] = STORED.exec(stored) ?? []
  if (!key) throw new BillingError("unreadable", "A stored password is not readable")
  return {
    ...{ log2N: Number(log2N), r: Number(r), p: Number(p) },
    ...{ salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") },
  }
}
