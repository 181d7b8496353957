import { setTimeout as pause } from "node:timers/promises"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import type { TestServer } from "../../support/server/server-process"
import { loadSystemState } from "../invariants/load-state"
import { violations } from "../invariants/violations"

const BUYERS = 4
const PATIENCE = 120_000
/** What was being carried out when the power went is taken up again within 40 seconds. */
const SETTLES_WITHIN = 90_000
const LOOKS_EVERY = 200

type Crashes = {
  /** What breaks the shop, and mends it. */
  readonly broken: () => Promise<void>
  /** After how many milliseconds it breaks, each time. */
  readonly moments: readonly number[]
  /** Tells the buyers of several turns apart. */
  readonly turn?: number
  readonly databaseUrl?: string
}

export type Survived = {
  readonly crashes: number
  /** Purchases of those who had to have one each. */
  readonly held: number
  readonly buyers: number
  readonly violations: readonly string[]
}

/** Buyers who never give up, while the shop breaks again and again; and what the books say when all work is done. */
export async function surviveCrashes(shop: TestServer, crashes: Crashes): Promise<Survived> {
  const { broken, moments, turn = 0, databaseUrl } = crashes
  const buyers = Array.from({ length: BUYERS }, (_, at) => `buyer${turn}-${at}@example.test`)
  const bought = Promise.all(buyers.map((email) => buyWithRetries(shop, { email, patience: PATIENCE })))
  for (const moment of moments) {
    await pause(moment)
    await broken()
  }
  await bought
  const meant = new Map(buyers.map((email) => [email, 1]))
  const look = () => loadSystemState({ dataDir: shop.dataDir, meant, ...(databaseUrl && { databaseUrl }) })
  const found = await afterAllWork(async () => violations(await look()))
  const { database } = await look()
  const clients = new Set(database.clients.filter(({ email }) => meant.has(email)).map(({ id }) => id))
  const held = database.services.filter((it) => it.status === "Active" && clients.has(it.client_id)).length
  return { crashes: moments.length, held, buyers: BUYERS, violations: found }
}

/** What is still wrong when all work had its time. */
async function afterAllWork(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadline = Date.now() + SETTLES_WITHIN
  let found = await look()
  while (found.length > 0 && Date.now() < deadline) {
    await pause(LOOKS_EVERY)
    found = await look()
  }
  return found
}
