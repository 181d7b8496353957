import { MINUTE } from "~/domain/calendar"
import type { Services } from "~/services.server"
import { askAbout } from "./ask-gateway.server"

/** An open payment nobody is looking at is asked about this often, so a lost callback costs minutes. */
const ASK_EVERY = 2 * MINUTE
const BATCH = 100
/** Should the sweeping instance die, another takes over after this long. */
const LEASE = 1 * MINUTE

/**
 * Heals what nobody is waiting for: payments whose callback was lost, orders whose deadline has passed. Only one
 * instance does it at a time. A payment is asked about before its order expires, never after.
 */
export async function sweep(services: Services, holder: string): Promise<void> {
  const { billing, till, outbox, now } = services
  if (!(await outbox.lease("sweep", holder, now(), LEASE))) return

  const askedBefore = now() - ASK_EVERY
  for (const attempt of await till.attemptsToAsk(askedBefore, BATCH))
    await askAbout(services, attempt, askedBefore)

  for (const orderId of await billing.overdueOrders(now(), BATCH)) {
    const order = await billing.moveOrder(orderId, "deadlinePassed", now())
    services.log.info({ orderId, status: order?.status }, "order past its deadline")
  }
}
