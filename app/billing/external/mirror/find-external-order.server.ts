import { nextPollAt } from "~/domain/poll-schedule"
import type { MirrorContext } from "./context.server"
import { findOrderMapping, known, write } from "./ensure-external-order.server"
import { claim, holding, LOOKS_APART, ours, release } from "./order-claim.server"
import { toExternalOrder, toExternalUpsell } from "./order-mapping.server"

/**
 * Whether an order may be on its way to them: another process or an earlier call is at it, or was when it died. Has it
 * looked for meanwhile; the caller does not wait for that.
 */
export async function isOnItsWay(beside: MirrorContext, orderId: string): Promise<boolean> {
  const row = await findOrderMapping(beside.books, orderId)
  const at = beside.now()
  if (row?.state !== "wanted" || (row.claimed_until <= at && row.held_until <= at)) return false
  if (row.held_until <= at)
    beside.runInBackground("order looked for", () => recoverLostOrder(beside, orderId))
  return true
}

/**
 * Looks whether an order has been made there all the same: its response was lost then. Where it is not there, and no
 * call can be at work there any more, nobody has begun to make it, should it be paid for after all.
 */
export async function recoverLostOrder(beside: MirrorContext, orderId: string): Promise<void> {
  const { books, externalBilling, now } = beside
  const claimed = await claim(beside, orderId)
  if (!claimed) return
  let again = LOOKS_APART
  try {
    await holding(beside, claimed, async () => {
      const it = await known(books, orderId)
      const found =
        it.order.kind === "upsell"
          ? await externalBilling.findInvoice(await toExternalUpsell(books, it))
          : await externalBilling.findOrder(await toExternalOrder(books, it))
      if (found) {
        const askAt = nextPollAt(it.order.placedAt, now())
        return write(books, it, { placed: found, claimed, askAt })
      }
      if (claimed.callsUntil > now()) return
      again = 0
      await ours(books, claimed).set({ tries: 0, claimed_until: 0 }).execute()
    })
  } finally {
    await release(beside, claimed, { again, called: "unknown" })
  }
}
