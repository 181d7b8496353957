import { BillingError, isRefusedByBilling, leastWait } from "~/billing/billing"
import type {
  ExternalService,
  PaidExternalOrder,
  ProvisionedService,
} from "~/billing/external/external-services"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { TimelineEvent } from "~/domain/orders/timeline"
import type { Service } from "~/domain/services/service"
import { type Provisioner, ProvisioningError } from "~/provisioning/provisioner"
import type { MirrorContext } from "./context.server"
import { ensureExternalOrder, known } from "./ensure-external-order.server"
import { underSettlementClaim } from "./settlement-claim.server"

type Lists = Pick<Provisioner, "playlist" | "playlistAddress">

/**
 * Provisioner that reports paid orders to external billing, whose panel creates the lines. `lists` provides the channel
 * lists.
 */
export function externalProvisioner(mirror: MirrorContext, lists: Lists): Provisioner {
  const { externalBilling, local, store } = mirror
  return {
    ...lists,

    create: (line) =>
      execute(async () => {
        const remote = await provisioned(mirror, line.orderId, line)
        const host = remote.host ?? mirror.hosts[line.kind]
        if (host === null)
          throw new BillingError(
            "unavailable",
            "Host not found: neither reported by external billing nor configured",
          )
        await storeCredentials(mirror, line, remote)
        await storeNotes(mirror, line, remote)
        return remote.unfinished === undefined ? { host } : { host, unfinished: remote.unfinished }
      }),

    terminate: (line) => execute(() => externalBilling.terminate(nameOf(line))),
    extend: notOurs,
    suspend: notOurs,
    resume: notOurs,
    setPlan: notOurs,
    setCredits: notOurs,
    restart: (line) => execute(() => externalBilling.restart(nameOf(line))),

    setDeviceAddress: (line) =>
      execute(async () => {
        const { deviceAddress } = line
        if (deviceAddress) await externalBilling.setDeviceAddress(nameOf(line), deviceAddress)
      }),

    /** Reports every paid upsell of the service, whichever enqueued the job: `provision` is idempotent. */
    setConnections: (line) =>
      execute(async () => {
        for (const id of await store.paidUpsells(line.id)) {
          const order = await local.billing.order(id)
          if (order) await provisioned(mirror, id, line)
        }
      }),
  }
}

/** External billing extends, suspends and resumes its services itself. */
async function notOurs(): Promise<never> {
  throw new ProvisioningError("external billing decides on terms and suspension itself")
}

/** Reports an order's payments, each once, and provisions its service. */
async function provisioned(
  mirror: MirrorContext,
  orderId: string,
  line: Service,
): Promise<ProvisionedService> {
  const paid = await paidOrder(mirror, orderId, line)
  return underSettlementClaim(mirror, orderId, (beforeWrite) =>
    mirror.externalBilling.provision(paid, beforeWrite),
  )
}

/** Creates the order externally first if that failed before. */
async function paidOrder(mirror: MirrorContext, orderId: string, line: Service): Promise<PaidExternalOrder> {
  const external = await ensureExternalOrder(mirror, orderId)
  const { order } = await known(mirror, orderId)
  const timeline = await mirror.local.billing.timeline(orderId)
  const { username, password, connections, productId } = line
  return {
    ...external,
    number: orderId,
    productId,
    total: order.total,
    gateway: order.gateway,
    connections,
    payments: await mirror.store.paymentsOf(orderId),
    covered: coveredPartOf(order),
    at: timeline.findLast(({ kind }) => kind === "paid")?.at ?? order.placedAt,
    credentials: { username, password },
    isRecreation: isRecreated(timeline),
  }
}

/** At most the total: a surplus is account credit of this shop. */
function coveredPartOf({ total, received, credited }: Order): Money {
  const minor = Math.max(0, Math.min(total.minor, received.minor - credited.minor))
  return money(minor, total.currency)
}

/** Whether the line was terminated for recreation and has not been provisioned since. */
function isRecreated(timeline: readonly TimelineEvent[]): boolean {
  return timeline.findLast(({ kind }) => kind === "provisioned" || kind === "recreated")?.kind === "recreated"
}

/** The external panel may have assigned other credentials than requested. */
async function storeCredentials(
  { store }: MirrorContext,
  line: Service,
  { username, password }: ExternalService,
): Promise<void> {
  if (line.username === username && line.password === password) return
  await store.setCredentials(line.id, { username, password })
}

/**
 * A reseller's note is entered with the line, before the external system has a service for it. Later refreshes copy the
 * external notes. A rejected note does not hold up the line.
 */
async function storeNotes(
  { externalBilling, log }: MirrorContext,
  { notes, productId }: Service,
  { customerId, serviceId, notes: stored }: ExternalService,
): Promise<void> {
  if (notes === "" || notes === stored) return
  try {
    await externalBilling.setNotes({ customerId, productId, serviceId }, notes)
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    log.warn({ serviceId, reason: error.message }, "notes rejected by external billing")
  }
}

function nameOf({ id: serviceId, customerId, productId }: Service) {
  return { serviceId, customerId, productId }
}

async function execute<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    throw new ProvisioningError(`external billing: ${error.message}`, {
      cause: error,
      isRefusal: error.kind === "refused",
      retryAfterMs: leastWait(error),
    })
  }
}
