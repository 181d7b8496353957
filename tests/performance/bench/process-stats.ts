import { memoryOf } from "../../support/server/process-memory"
import { startShop, type TestServer } from "../../support/server/server-process"

const STARTS = 3
/** In MB of a million bytes, which is the stricter reading of the aim. */
const MEGABYTES = 1.048_576

/** What a running shop has in memory. */
export function memory(shop: TestServer): number {
  const pid = shop.pid()
  if (pid === undefined) throw new Error("The shop is not running")
  return memoryOf(pid) * MEGABYTES
}

/** Seconds from the start of the process until it is well, on data that is there; the best of some. */
export async function readySeconds(dataDir: string): Promise<number> {
  const seconds: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const begun = performance.now()
    const shop = await startShop({ dataDir })
    seconds.push((performance.now() - begun) / 1_000)
    await shop.stop()
  }
  return Math.min(...seconds)
}
