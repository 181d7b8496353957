import { BillingError } from "~/billing/billing"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import type { ExternalService, PaidExternalOrder, PaymentRecord } from "~/billing/external/external-services"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { Service } from "~/domain/service"
import type { TimelineEvent } from "~/domain/timeline"
import { type Provisioner, ProvisioningError } from "~/provisioning/provisioner"
import type { MirrorContext } from "./context.server"
import { ensureExternalOrder, known } from "./ensure-external-order.server"

type Lists = Pick<Provisioner, "playlist" | "playlistAddress">

/**
 * Lines are made by whoever keeps the books: told that an order is paid, they have their panel make it. Channel lists
 * are `lists`' matter.
 */
export function externalProvisioner(mirror: MirrorContext, lists: Lists): Provisioner {
  const { externalBilling, local } = mirror
  return {
    ...lists,

    create: (line) =>
      carriedOut(async () => {
        const remote = await externalBilling.provision(await paidOrder(mirror, line.orderId, line))
        const host = remote.host ?? mirror.hosts[line.kind]
        if (host === null) throw new BillingError("unavailable", "They do not say where the line is")
        await takeAccess(mirror.ctx, line, remote)
        return { host }
      }),

    terminate: (line) => carriedOut(() => externalBilling.terminate(nameOf(line))),
    restart: (line) => carriedOut(() => externalBilling.restart(nameOf(line))),

    setDeviceAddress: (line) =>
      carriedOut(async () => {
        const { deviceAddress } = line
        if (deviceAddress) await externalBilling.setDeviceAddress(nameOf(line), deviceAddress)
      }),

    /** Every paid order for more connections is told of, once: which one has brought this job does not matter. */
    setConnections: (line) =>
      carriedOut(async () => {
        for (const id of await upsellsOf(mirror.ctx, line.id)) {
          const order = await local.billing.order(id)
          if (order) await externalBilling.provision(await paidOrder(mirror, id, line))
        }
      }),
  }
}

/** Also for an order that could not be made there before: it is, now. */
async function paidOrder(mirror: MirrorContext, orderId: string, line: Service): Promise<PaidExternalOrder> {
  const external = await ensureExternalOrder(mirror, orderId)
  const { order } = await known(mirror.ctx, orderId)
  const timeline = await mirror.local.billing.timeline(orderId)
  const { username, password, connections, productId } = line
  return {
    ...external,
    ...{ number: orderId, productId, total: order.total, gateway: order.gateway, connections },
    payments: await paymentsOf(mirror.ctx, order),
    at: timeline.findLast(({ kind }) => kind === "paid")?.at ?? order.placedAt,
    credentials: { username, password },
    anew: isRecreated(timeline),
  }
}

/** It worked once, and has been ended since to be made again. */
function isRecreated(timeline: readonly TimelineEvent[]): boolean {
  return timeline.findLast(({ kind }) => kind === "provisioned" || kind === "recreated")?.kind === "recreated"
}

async function paymentsOf({ db }: DbContext, { id }: Order): Promise<readonly PaymentRecord[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .selectAll("payments")
    .where("invoices.order_id", "=", id)
    .where("payments.amount", ">", 0)
    .orderBy("booked_at")
    .execute()
  return rows.map(({ transaction_id, attempt_id, gateway, amount, currency, booked_at: at }) => ({
    ...{ transactionId: transaction_id ?? attempt_id, gateway, amount: money(amount, currency), at },
  }))
}

async function upsellsOf({ db }: DbContext, serviceId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("service_id", "=", serviceId)
    .where("kind", "=", "upsell")
    .where("status", "=", "paid")
    .orderBy("placed_at")
    .execute()
  return rows.map(({ id }) => id)
}

/** Their panel may have given the line another name than we had thought of. */
async function takeAccess(
  { db }: DbContext,
  line: Service,
  { username, password }: ExternalService,
): Promise<void> {
  if (line.username === username && line.password === password) return
  await db
    .updateTable("services")
    .set({ username, password })
    .where("id", "=", line.id)
    .where("status", "=", "Pending")
    .execute()
}

function nameOf({ id: serviceId, customerId, productId }: Service) {
  return { serviceId, customerId, productId }
}

async function carriedOut<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    throw new ProvisioningError(`the billing system did not carry it out: ${error.message}`, { cause: error })
  }
}
