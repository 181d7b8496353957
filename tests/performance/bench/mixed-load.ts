import { fetch } from "undici"
import { addressOf } from "../../fixtures/concurrent-buyers"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import type { LoadStage } from "./load-stage"

const PAGES = ["/checkout/", "/checkout/", "/checkout/", "/checkout/", "/checkout/api/health"] as const

/** One visit of the mix: pages from new visitors and health checks, and a whole purchase by a buyer of its own. */
export async function visitAndBuy({ visited }: LoadStage, nth: number): Promise<void> {
  const email = `buyer${nth}@example.test`
  const headers = { "x-forwarded-for": addressOf(email), "accept-encoding": "gzip, br" }
  for (const path of PAGES) {
    const response = await fetch(`${visited.url}${path}`, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} was answered by ${response.status}`)
  }
  await buyWithRetries(visited, { email, headers })
}
