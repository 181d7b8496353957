import { Session } from "node:inspector/promises"

/**
 * Runs a full garbage collection after start-up. V8 collects only when memory is requested, so an idle instance would
 * keep the memory that only start-up needed.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post("HeapProfiler.collectGarbage")
  } finally {
    session.disconnect()
  }
}
