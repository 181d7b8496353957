import { type Instant, SECOND } from "~/domain/calendar"
import type { MirrorContext } from "./context.server"

/** Lease of a claim in milliseconds. A process that does not renew it every `HOLDS_EVERY` has died. */
const HELD = 6 * SECOND
const HOLDS_EVERY = 2 * SECOND
/** Interval between two lookups of an order that may still be in creation, in milliseconds. */
export const LOOKUP_INTERVAL = 2 * SECOND

export type Claim = {
  readonly orderId: string
  /** Id of the claim, stored as `held_by`. */
  readonly by: string
  /** Number of earlier tries. */
  readonly tries: number
  /** Until when a call of an earlier try may be running externally: an order that cannot be found afterwards does not exist. */
  readonly callsUntil: Instant
}

/**
 * Claims an order for lookup and, once no earlier call can be running, for creation. Null while another claim's lease
 * is valid.
 */
export async function claim({ store, now }: MirrorContext, orderId: string): Promise<Claim | null> {
  const at = now()
  const until = at + HELD
  // A lease further ahead was set by a wrong clock.
  const row = await store.claimExternalOrder(orderId, { at, until, latestLease: until + LOOKUP_INTERVAL })
  if (!row?.held_by) return null
  return { orderId, by: row.held_by, tries: row.tries - 1, callsUntil: row.claimed_until }
}

/** Renews a claim's lease while `work` runs. */
export async function holding<T>(mirror: MirrorContext, claimed: Claim, work: () => Promise<T>): Promise<T> {
  const { store, now, log } = mirror
  const timer = setInterval(() => {
    store
      .updateClaimed(claimed, { held_until: now() + HELD })
      .catch((error: unknown) => log.warn({ err: error }, "order claim not renewed"))
  }, HOLDS_EVERY)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Releases a claim after `again` milliseconds. If that fails, the lease expires. */
export async function release(
  { store, now, log }: MirrorContext,
  claimed: Claim,
  { again, called }: { again: number; called: "ended" | "unknown" },
): Promise<void> {
  await store
    .updateClaimed(claimed, { held_until: now() + again, ...(called === "ended" && { claimed_until: 0 }) })
    .catch((error: unknown) => log.warn({ err: error }, "order claim not released"))
}
