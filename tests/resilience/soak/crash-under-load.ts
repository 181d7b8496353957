import { setTimeout as pause } from "node:timers/promises"
import { loadSystemState } from "../invariants/load-state"
import type { PanelLine } from "../invariants/system-state"
import { violations } from "../invariants/violations"
import type { Period } from "./history"
import { historyViolations, longWaits } from "./history-violations"
import { watchNewConnections } from "./new-connections"
import { recordBuyer } from "./recorded-buyer"

const BUYERS = 4
/** Milliseconds; an interrupted job is retried when its lease expires after 40 seconds. */
const SETTLES_WITHIN = 90_000
const LOOKS_EVERY = 200

/** The shop that crashes, as buyers reach it, and where its data are. */
type CrashedShop = {
  readonly url: string
  readonly sandboxUrl: string
  readonly dataDir: string
  readonly databaseUrl?: string
  /** Folder of the sandbox's records if another shop provides the sandbox. */
  readonly sandboxDir?: string
  readonly panelLines?: () => readonly PanelLine[]
  /** Number of requests that each of several instances has answered so far. */
  readonly answeredBy?: () => readonly number[]
}

/** Records the time of an act during which the shop cannot answer. */
export type Outage = (act: () => Promise<void>) => Promise<void>

type Crashes = {
  /** Injects the crash and repairs it. */
  readonly broken: (outage: Outage) => Promise<void>
  /** Milliseconds before each crash. */
  readonly moments: readonly number[]
  /** Distinguishes the buyers of several rounds. */
  readonly round?: number
}

export type Survived = {
  readonly crashes: number
  /** Number of buyers with exactly their one purchase. */
  readonly held: number
  readonly buyers: number
  /** How much the history has to compare: with none, it could show no violation. */
  readonly seen: { readonly orders: number; readonly access: number; readonly connections: number }
  readonly violations: readonly string[]
  /** Answers that came too late, for a machine that does nothing else. */
  readonly late: readonly string[]
}

/**
 * Runs buyers that retry until they succeed while the shop crashes repeatedly; then checks the invariants, and what the
 * buyers have seen.
 */
export async function surviveCrashes(shop: CrashedShop, crashes: Crashes): Promise<Survived> {
  const { round = 0, moments } = crashes
  const emails = Array.from({ length: BUYERS }, (_, at) => `buyer${round}-${at}@example.test`)
  const buyers = emails.map((email) => recordBuyer(shop, email))
  const before = shop.answeredBy?.() ?? []
  const watch = await watchNewConnections(`${shop.url}/checkout/api/live`)
  const bought = Promise.all(buyers.map((buyer) => buyer.buy()))
  const { outages, failures } = await crashAll(crashes)
  await bought
  const connections = await watch.stop()

  const meant = new Map(emails.map((email) => [email, 1]))
  const look = () => loadSystemState({ ...locationOf(shop), meant })
  const found = await afterAllWork(async () => violations(await look()))
  await Promise.all(buyers.map((buyer) => buyer.lookAgain()))
  const { database } = await look()
  const clients = new Set(database.clients.filter(({ email }) => meant.has(email)).map(({ id }) => id))
  const held = database.services.filter((it) => it.status === "Active" && clients.has(it.client_id)).length
  const answeredBy = (shop.answeredBy?.() ?? []).map((count, at) => count - (before[at] ?? 0))
  const histories = buyers.map((buyer) => buyer.history())
  const inHistory = historyViolations({ buyers: histories, connections, outages, answeredBy }, database)
  return {
    crashes: moments.length,
    held,
    buyers: BUYERS,
    seen: {
      orders: histories.flatMap(({ orders }) => orders).length,
      access: histories.flatMap(({ access }) => access).length,
      connections: connections.length,
    },
    violations: [...failures, ...found, ...inHistory],
    late: longWaits({ connections, outages }),
  }
}

/** Returns when the shop could not answer, and what failed to start again. */
async function crashAll({ moments, broken }: Crashes): Promise<{ outages: Period[]; failures: string[] }> {
  const outages: Period[] = []
  const failures: string[] = []
  const outage: Outage = async (act) => {
    const from = Date.now()
    try {
      await act()
    } finally {
      outages.push({ from, until: Date.now() })
    }
  }
  for (const moment of moments) {
    await pause(moment)
    await broken(outage).catch((error: unknown) => failures.push(`after a crash: ${error}`))
  }
  return { outages, failures }
}

function locationOf({ dataDir, databaseUrl, sandboxDir, panelLines }: CrashedShop) {
  return {
    dataDir,
    ...(databaseUrl && { databaseUrl }),
    ...(sandboxDir && { sandboxDir }),
    ...(panelLines && { panel: panelLines() }),
  }
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
