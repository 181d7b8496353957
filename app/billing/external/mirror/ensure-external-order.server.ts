import { setTimeout as pause } from "node:timers/promises"
import { BillingError, MAX_EXTERNAL_CALL, OrderPending } from "~/billing/billing"
import type { ExternalOrderRef, PlacedExternally } from "~/billing/external/external-orders"
import { type Instant, SECOND } from "~/domain/calendar"
import { createsService, type Order } from "~/domain/orders/order"
import { nextPollAt } from "~/domain/payments/poll-schedule"
import type { MirrorContext } from "./context.server"
import { type Claim, claim, holding, LOOKUP_INTERVAL, release } from "./order-claim.server"
import {
  type Known,
  toExternalOrder,
  toExternalOrderRef,
  toExternalUpgrade,
  toExternalUpsell,
} from "./order-mapping.server"

const TRIES_EVERY_MS = 50

/** How long a caller waits for another request or process that has claimed the order, in milliseconds. */
const maxWait = { page: 1_200, job: 20 * SECOND }

/**
 * Ensures that an order exists in external billing. Idempotent, also for concurrent callers. The local row is written
 * first, so a retry after a lost response looks the order up before creating it. While the lost call may still be
 * running, nothing is created. Throws a `BillingError`: `refused` if external billing rejects the order, `OrderPending`
 * while it is unknown whether the order exists. `waits` selects how long to wait for another claim.
 */
export async function ensureExternalOrder(
  mirror: MirrorContext,
  orderId: string,
  waits: keyof typeof maxWait = "job",
): Promise<ExternalOrderRef> {
  const until = Date.now() + maxWait[waits]
  for (;;) {
    const made = await madeOrClaimed(mirror, orderId, waits === "page" ? until : null)
    if (made) return made
    if (Date.now() > until) throw new OrderPending(orderId)
    await pause(TRIES_EVERY_MS)
  }
}

/**
 * Null while another caller holds the claim. `until`: epoch milliseconds after which the caller stops waiting for an
 * order that another process left unfinished; null waits without limit.
 */
async function madeOrClaimed(
  mirror: MirrorContext,
  orderId: string,
  until: number | null,
): Promise<ExternalOrderRef | null> {
  const before = await madeBefore(mirror, orderId)
  if (before) return before
  const claimed = await claim(mirror, orderId)
  if (!claimed) return null
  const making = make(mirror, claimed)
  return until === null || claimed.tries === 0 ? making : soon(mirror, { orderId, making, until })
}

async function madeBefore(mirror: MirrorContext, orderId: string): Promise<ExternalOrderRef | null> {
  const row = await mirror.store.externalOrder(orderId)
  if (!row || row.state === "wanted") return null
  return toExternalOrderRef(await known(mirror, orderId), row)
}

/** Waits for a recovered order until `until`; then throws `OrderPending` and leaves the recovery in the background. */
async function soon(mirror: MirrorContext, { orderId, making, until }: Making): Promise<ExternalOrderRef> {
  const hasEnded = Promise.allSettled([making]).then(() => true)
  const tooLong = pause(Math.max(0, until - Date.now())).then(() => false)
  if (await Promise.race([hasEnded, tooLong])) return making
  mirror.runInBackground("order recovery", () => making)
  throw new OrderPending(orderId)
}

type Making = { readonly orderId: string; readonly making: Promise<ExternalOrderRef>; readonly until: number }

async function make(mirror: MirrorContext, claimed: Claim): Promise<ExternalOrderRef> {
  const { now, log } = mirror
  const { orderId, tries } = claimed
  const call = { wasSent: false }
  try {
    return await holding(mirror, claimed, async () => {
      const { order } = await known(mirror, orderId)
      const placed = await foundOrPlaced(mirror, claimed, call)
      await write(mirror, order, { placed, claimed, pollAt: nextPollAt(order.placedAt, now()) })
      log.info(
        { orderId, externalOrderId: placed.orderId, externalInvoiceId: placed.invoiceId, tries },
        "order created in external billing",
      )
      const made = await madeBefore(mirror, orderId)
      if (!made) throw new BillingError("unreadable", "Order not found after creating it in external billing")
      return made
    })
  } catch (error) {
    throw await notMade(mirror, claimed, { call, error })
  }
}

/** `wasSent`: this claim has sent the call that creates the order. */
type Call = { wasSent: boolean }

/** Releases a claim and returns the error to throw: `OrderPending` while the call may still be running externally. */
async function notMade(
  mirror: MirrorContext,
  claimed: Claim,
  { call, error }: { call: Call; error: unknown },
): Promise<unknown> {
  const isPending = error instanceof OrderPending
  const mayStillRun = call.wasSent && error instanceof BillingError && error.mayStillRun
  const hasEnded = call.wasSent && !isPending && !mayStillRun
  await release(mirror, claimed, {
    again: isPending ? LOOKUP_INTERVAL : 0,
    called: hasEnded ? "ended" : "unknown",
  })
  return mayStillRun ? new OrderPending(claimed.orderId, { cause: error }) : error
}

async function beginCall({ store, now }: MirrorContext, claimed: Claim, call: Call): Promise<void> {
  const holds = await store.updateClaimed(claimed, { claimed_until: now() + MAX_EXTERNAL_CALL })
  if (!holds) throw new OrderPending(claimed.orderId)
  call.wasSent = true
}

/** Finds the order that an earlier try may have created, or creates it. */
async function foundOrPlaced(mirror: MirrorContext, claimed: Claim, call: Call): Promise<PlacedExternally> {
  const { find, place } = await externalCalls(mirror, await known(mirror, claimed.orderId))
  const found = claimed.tries > 0 ? await find() : null
  if (found) return found
  if (claimed.callsUntil > mirror.now()) throw new OrderPending(claimed.orderId)
  await beginCall(mirror, claimed, call)
  return place()
}

type ExternalCalls = {
  readonly find: () => Promise<PlacedExternally | null>
  readonly place: () => Promise<PlacedExternally>
}

/** The calls that find or create an order externally, by its kind. */
export async function externalCalls(
  { store, externalBilling }: MirrorContext,
  it: Known,
): Promise<ExternalCalls> {
  if (it.order.kind === "upsell") {
    const upsell = await toExternalUpsell(store, it)
    return {
      find: () => externalBilling.findInvoice(upsell),
      place: () => externalBilling.addInvoice(upsell),
    }
  }
  if (it.order.kind === "plan-change") {
    const { upgrades } = externalBilling
    if (!upgrades) throw new BillingError("refused", "External billing cannot change the plan of a service")
    const upgrade = toExternalUpgrade(it)
    return { find: () => upgrades.findUpgrade(upgrade), place: () => upgrades.placeUpgrade(upgrade) }
  }
  const order = await toExternalOrder(store, it)
  return { find: () => externalBilling.findOrder(order), place: () => externalBilling.placeOrder(order) }
}

/**
 * Stores the external ids and the tax. Throws `OrderPending` if the claim is no longer valid, and `refused` if the service got an id
 * that another customer's has here.
 */
export async function write(
  mirror: MirrorContext,
  order: Order,
  { placed, claimed, pollAt }: { placed: PlacedExternally; claimed: Claim; pollAt: Instant },
): Promise<void> {
  const { store } = mirror
  await assertFreeId(mirror, order, placed)
  if (!(await store.confirmExternalOrder(claimed, order, { ...placed, pollAt })))
    throw new OrderPending(order.id)
}

/**
 * A system that was restored from a backup counts on from there, so that a new service may get the id of one that this shop has sold
 * since. Sessions and links know that one by its id: the order is cancelled there, and the next one gets the next id.
 */
async function assertFreeId(mirror: MirrorContext, order: Order, placed: PlacedExternally): Promise<void> {
  const { local, store, externalBilling, log } = mirror
  if (!createsService(order)) return
  const { serviceId, orderId, invoiceId, link } = placed
  const other = await local.billing.service(serviceId)
  if (!other || other.customerId === order.customerId) return
  const { username } = (await known(mirror, order.id)).service
  const { id: number, kind, customerId } = order
  await externalBilling.cancelOrder({
    serviceId,
    orderId,
    invoiceId,
    link,
    number,
    kind,
    customerId,
    username,
  })
  await store.closeExternalOrder(number, "closed")
  log.error(
    { serviceId, orderId: number, customerId: other.customerId, newCustomerId: customerId },
    "external id given out again",
  )
  throw new BillingError(
    "refused",
    `Service ${serviceId} of order ${number} has the id of another customer's service`,
  )
}

export async function known({ local }: MirrorContext, orderId: string): Promise<Known> {
  const order = await local.billing.order(orderId)
  const service = order && (await local.billing.service(order.serviceId))
  if (!order || !service) throw new BillingError("refused", `Order not found: ${orderId}`)
  return { order, service }
}
