import { memoryOf } from "../../support/server/process-memory"
import { startShop, type TestServer } from "../../support/server/server-process"

const STARTS = 3
/** In MB of a million bytes, the stricter reading of the target. */
const MEGABYTES = 1.048_576

/** Resident memory of a running shop. */
export function memory(shop: TestServer): number {
  const pid = shop.pid()
  if (pid === undefined) throw new Error("The shop is not running")
  return memoryOf(pid) * MEGABYTES
}

/** Seconds from process start until the shop is healthy, on existing data; the best of several starts. */
export async function readySeconds(dataDir: string): Promise<number> {
  const seconds: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const started = performance.now()
    const shop = await startShop({ dataDir })
    seconds.push((performance.now() - started) / 1_000)
    await shop.stop()
  }
  return Math.min(...seconds)
}
