import { Session } from "node:inspector/promises"

/**
 * Collects what nothing holds any more. What only the start needed would stay for good in an instance that nobody asks:
 * V8 collects when memory is wanted, and there it never is.
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
