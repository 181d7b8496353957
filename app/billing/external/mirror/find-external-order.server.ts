import { nextPollAt } from "~/domain/poll-schedule"
import type { MirrorContext } from "./context.server"
import { findOrderMapping, known, write } from "./ensure-external-order.server"
import { claim, holding, LOOKUP_INTERVAL, local, release } from "./order-claim.server"
import { toExternalOrder, toExternalUpsell } from "./order-mapping.server"

/**
 * Whether an order may be on its way to them: another process or an earlier call is at it, or was when it died. Has it
 * looked for meanwhile; the caller does not wait for that.
 */
export async function isBeingPlaced(mirror: MirrorContext, orderId: string): Promise<boolean> {
  const row = await findOrderMapping(mirror.ctx, orderId)
  const at = mirror.now()
  if (row?.state !== "wanted" || (row.claimed_until <= at && row.held_until <= at)) return false
  if (row.held_until <= at)
    mirror.runInBackground("order looked for", () => recoverLostOrder(mirror, orderId))
  return true
}

/**
 * Looks whether an order has been made there all the same: its response was lost then. Where it is not there, and no
 * call can be at work there any more, nobody has begun to make it, should it be paid for after all.
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
        const askAt = nextPollAt(it.order.placedAt, now())
        return write(ctx, it, { placed: found, claimed, askAt })
      }
      if (claimed.callsUntil > now()) return
      again = 0
      await local(ctx, claimed).set({ tries: 0, claimed_until: 0 }).execute()
    })
  } finally {
    await release(mirror, claimed, { again, called: "unknown" })
  }
}
