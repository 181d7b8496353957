import { nextPollAt } from "~/domain/poll-schedule"
import type { MirrorContext } from "./context.server"
import { findOrderMapping, known, write } from "./ensure-external-order.server"
import { claim, holding, LOOKUP_INTERVAL, local, release } from "./order-claim.server"
import { toExternalOrder, toExternalUpsell } from "./order-mapping.server"

/**
 * Whether an order may be in creation externally: a process holds its claim, or a call of a dead process may still be
 * running. If no claim is held, starts a lookup in the background.
 */
export async function isBeingPlaced(mirror: MirrorContext, orderId: string): Promise<boolean> {
  const row = await findOrderMapping(mirror.ctx, orderId)
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
  const { ctx, externalBilling, now } = mirror
  const claimed = await claim(mirror, orderId)
  if (!claimed) return
  let again = LOOKUP_INTERVAL
  try {
    await holding(mirror, claimed, async () => {
      const it = await known(ctx, orderId)
      const found =
        it.order.kind === "upsell"
          ? await externalBilling.findInvoice(await toExternalUpsell(ctx, it))
          : await externalBilling.findOrder(await toExternalOrder(ctx, it))
      if (found) {
        const pollAt = nextPollAt(it.order.placedAt, now())
        return write(ctx, it, { placed: found, claimed, pollAt })
      }
      if (claimed.callsUntil > now()) return
      again = 0
      await local(ctx, claimed).set({ tries: 0, claimed_until: 0 }).execute()
    })
  } finally {
    await release(mirror, claimed, { again, called: "unknown" })
  }
}
