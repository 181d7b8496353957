import { randomBytes } from "node:crypto"

/** Random bytes are drawn in blocks: a system call for each request costs as much as writing its headers. */
const POOL = 4_096

let pool = Buffer.alloc(0)
let used = 0

/** Unguessable base64url token of `bytes` random bytes, four characters for three bytes. No byte is used twice. */
export function randomToken(bytes: number): string {
  if (used + bytes > pool.length) [pool, used] = [randomBytes(Math.max(POOL, bytes)), 0]
  used += bytes
  return pool.toString("base64url", used - bytes, used)
}
