import { BillingError, isRefusedByBilling, MAX_EXTERNAL_CALL } from "~/billing/billing"
import { SECOND } from "~/domain/calendar"
import type { MirrorContext } from "./context.server"
import type { HeldClaim } from "./mirror-store"

/** How long a claim holds before its first write, in milliseconds. A process that dies until then has sent nothing. */
const HELD = 30 * SECOND

/**
 * Reports the payments of an order under a claim, which every write extends: after a lost response or a crash, nothing is sent until a
 * call that was under way cannot be running any more. Meanwhile a retry only looks whether all is recorded, and throws "unavailable" if
 * it is not. `report` calls `beforeWrite` before each call that records a payment.
 */
export async function underSettlementClaim<T>(
  mirror: MirrorContext,
  orderId: string,
  report: (beforeWrite: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { store, now } = mirror
  const at = now()
  const claim = await store.beginSettlement(orderId, {
    at,
    until: at + HELD,
    latestLease: at + MAX_EXTERNAL_CALL,
  })
  if (!claim) return report(() => notKnown(mirror, orderId))
  const sent = { isUnknown: false }
  try {
    const reported = await report(async () => {
      await extend(mirror, claim)
      sent.isUnknown = true
    })
    sent.isUnknown = false
    return reported
  } catch (error) {
    if (isRefusedByBilling(error)) sent.isUnknown = false
    throw error
  } finally {
    if (!sent.isUnknown) await store.endSettlement(claim, now())
  }
}

/** Throws "unavailable" until the claim that holds the order has ended. */
async function notKnown({ store, now }: MirrorContext, orderId: string): Promise<never> {
  const heldUntil = (await store.externalOrder(orderId))?.held_until ?? 0
  throw new BillingError("unavailable", "The outcome of an earlier payment call is not known yet", {
    retryAfterSeconds: Math.max(0, Math.ceil((heldUntil - now()) / SECOND)),
  })
}

async function extend(mirror: MirrorContext, claim: HeldClaim): Promise<void> {
  const { store, now } = mirror
  if (!(await store.extendSettlement(claim, now() + MAX_EXTERNAL_CALL))) await notKnown(mirror, claim.orderId)
}
