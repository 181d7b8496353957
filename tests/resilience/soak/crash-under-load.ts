import { setTimeout as pause } from "node:timers/promises"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import type { TestServer } from "../../support/server/server-process"
import { loadSystemState } from "../invariants/load-state"
import { violations } from "../invariants/violations"

const BUYERS = 4
const MAX_WAIT = 120_000
/** Milliseconds; an interrupted job is retried when its lease expires after 40 seconds. */
const SETTLES_WITHIN = 90_000
const LOOKS_EVERY = 200

type Crashes = {
  /** Injects the crash and repairs it. */
  readonly broken: () => Promise<void>
  /** Milliseconds before each crash. */
  readonly moments: readonly number[]
  /** Distinguishes the buyers of several rounds. */
  readonly round?: number
  readonly databaseUrl?: string
}

export type Survived = {
  readonly crashes: number
  /** Number of buyers with exactly their one purchase. */
  readonly held: number
  readonly buyers: number
  readonly violations: readonly string[]
}

/** Runs buyers that retry until they succeed while the shop crashes repeatedly; then checks the invariants. */
export async function surviveCrashes(shop: TestServer, crashes: Crashes): Promise<Survived> {
  const { broken, moments, round = 0, databaseUrl } = crashes
  const buyers = Array.from({ length: BUYERS }, (_, at) => `buyer${round}-${at}@example.test`)
  const bought = Promise.all(buyers.map((email) => buyWithRetries(shop, { email, maxWait: MAX_WAIT })))
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

/** Returns the violations that remain after all work had time to complete. */
async function afterAllWork(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadline = Date.now() + SETTLES_WITHIN
  let found = await look()
  while (found.length > 0 && Date.now() < deadline) {
    await pause(LOOKS_EVERY)
    found = await look()
  }
  return found
}
