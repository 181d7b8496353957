import { scryptSync } from "node:crypto"
import { parentPort } from "node:worker_threads"
// In development Node runs this file directly, without path aliases and with file extensions.
import { strengthOf } from "../domain/customers/password-strength.ts"
import type { DerivationTask, StrengthTask } from "./password-threads.server.ts"

/** Worker of `password-threads.server.ts`: one message in, one message out. */
parentPort?.on("message", async (task: StrengthTask | DerivationTask) => {
  parentPort?.postMessage(
    task.kind === "strength" ? await strengthOf(task.password, task.email) : derive(task),
  )
})

function derive({ password, salt, length, N, r, p }: DerivationTask): Uint8Array {
  return scryptSync(password, salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) })
}
