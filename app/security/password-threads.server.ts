import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { SECOND } from "~/domain/calendar"
import type { Strength } from "~/domain/customers/password-strength"
import { workerPool } from "./worker-pool.server"

export type StrengthTask = { readonly kind: "strength"; readonly password: string; readonly email: string }

export type DerivationTask = {
  readonly kind: "derivation"
  readonly password: string
  readonly salt: Uint8Array
  /** Length of the derived key in bytes. */
  readonly length: number
  readonly N: number
  readonly r: number
  readonly p: number
}

/** One core stays free for the event loop. */
const HASHES_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
/** A hash takes about 0.2 s, so the last of a full queue waits for some seconds. */
const QUEUED_PER_THREAD = 20

const hashes = workerPool<DerivationTask, Uint8Array>({
  start,
  threads: HASHES_AT_ONCE,
  maxQueued: HASHES_AT_ONCE * QUEUED_PER_THREAD,
  timeoutMs: 20 * SECOND,
})
/** Passwords are rated in a separate thread, so that sign-ins do not wait for new passwords. */
const ratings = workerPool<StrengthTask, Strength>({
  start,
  threads: 1,
  maxQueued: QUEUED_PER_THREAD,
  timeoutMs: 5 * SECOND,
})

/** Rates a password with zxcvbn. Throws `PoolOverloaded`. */
export function passwordStrength(password: string, email: string): Promise<Strength> {
  return ratings.run({ kind: "strength", password, email })
}

/** Derives a key from a password with scrypt. Throws `PoolOverloaded`. */
export async function deriveKey(task: Omit<DerivationTask, "kind">): Promise<Buffer> {
  return Buffer.from(await hashes.run({ ...task, kind: "derivation" }))
}

/** The build emits the worker next to this module (vite.config.ts); in development Node runs the source. It gets no environment. */
function start(): Worker {
  const isBuilt = !new URL(import.meta.url).pathname.endsWith(".ts")
  const program = isBuilt ? "./password-worker.js" : "./password-worker.server.ts"
  return new Worker(new URL(program, import.meta.url), { env: {}, execArgv: [], name: "passwords" })
}
