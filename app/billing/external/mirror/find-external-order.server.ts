import { nextPollAt } from "~/domain/payments/poll-schedule"
import type { MirrorContext } from "./context.server"
import { externalCalls, known, write } from "./ensure-external-order.server"
import { claim, holding, LOOKUP_INTERVAL, release } from "./order-claim.server"

/**
 * Whether an order may be in creation externally: a process holds its claim, or a call of a dead process may still be
 * running. If no claim is held, starts a lookup in the background.
 */
export async function isBeingPlaced(mirror: MirrorContext, orderId: string): Promise<boolean> {
  const row = await mirror.store.externalOrder(orderId)
  const at = mirror.now()
  if (row?.state !== "wanted" || (row.claimed_until <= at && row.held_until <= at)) return false
  if (row.held_until <= at) mirror.runInBackground("order recovery", () => recoverLostOrder(mirror, orderId))
  return true
}

/**
 * Looks up an order whose response may have been lost, and stores its external ids. If it does not exist and no call
 * can be running any more, resets the row to zero tries, so that a late payment can still create it.
 */
export async function recoverLostOrder(mirror: MirrorContext, orderId: string): Promise<void> {
  const { store, now } = mirror
  const claimed = await claim(mirror, orderId)
  if (!claimed) return
  let again = LOOKUP_INTERVAL
  try {
    await holding(mirror, claimed, async () => {
      const it = await known(mirror, orderId)
      const found = await (await externalCalls(mirror, it)).find()
      if (found) {
        const pollAt = nextPollAt(it.order.placedAt, now())
        return write(mirror, it.order, { placed: found, claimed, pollAt })
      }
      if (claimed.callsUntil > now()) return
      again = 0
      await store.updateClaimed(claimed, { tries: 0, claimed_until: 0 })
    })
  } finally {
    await release(mirror, claimed, { again, called: "unknown" })
  }
}
