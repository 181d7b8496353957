import { randomBytes } from "node:crypto"

/** The system is asked for so many bytes at once: to ask for each request's own costs as much as to write its headers. */
const POOL = 4_096

let pool = Buffer.alloc(0)
let used = 0

/** Letters of base64url that nobody can guess, four for three bytes; none of them is given twice. */
export function randomToken(bytes: number): string {
  if (used + bytes > pool.length) [pool, used] = [randomBytes(Math.max(POOL, bytes)), 0]
  used += bytes
  return pool.toString("base64url", used - bytes, used)
}
