import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { Customers } from "~/billing/customers"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import type { ExternalService } from "~/billing/external/external-services"
import type { ServiceRepository } from "~/billing/service-repository"
import { SECOND } from "~/domain/calendar"
import type { Service } from "~/domain/service"
import type { MirrorContext } from "./context.server"
import { importService } from "./import-service.server"

/** How long the fetched services of a customer count as fresh, in milliseconds. */
const GOOD_FOR = 10 * SECOND

/**
 * Local copies of external services. A service sold by this shop is managed locally until it works. Later external
 * changes, and services sold directly in the external system, are fetched and copied.
 */
export function mirrorServices(
  mirror: MirrorContext,
): Pick<Customers, "servicesOf"> & Pick<ServiceRepository, "service" | "setNotes"> {
  const { ctx, local, externalBilling, runInBackground } = mirror
  const refreshes = new LRUCache<string, Readonly<Record<never, never>>>({
    max: 1_000,
    ttl: GOOD_FOR,
    fetchMethod: async (customerId) => refresh(mirror, customerId),
  })
  return {
    async service(id) {
      const service = await local.billing.service(await resolveServiceId(ctx, id))
      if (service?.status !== "Active" || refreshes.has(service.customerId)) return service
      runInBackground("service refresh", async () => refreshes.fetch(service.customerId))
      return service
    },

    async servicesOf(customer) {
      await refreshes.fetch(customer.id).catch((error: unknown) => notAnswering(mirror, error))
      return local.billing.servicesOf(customer)
    },

    async setNotes(id, notes) {
      const service = await local.billing.service(await resolveServiceId(ctx, id))
      if (!service) return
      const { customerId, productId } = service
      await externalBilling.setNotes({ customerId, productId, serviceId: service.id }, notes)
      await local.billing.setNotes(service.id, notes)
    },
  }
}

/** Current id of a service by its current or former (local) id. */
export async function resolveServiceId({ db }: DbContext, id: string): Promise<string> {
  const row = await db.selectFrom("services").select("id").where("local_id", "=", id).executeTakeFirst()
  return row?.id ?? id
}

async function refresh(mirror: MirrorContext, customerId: string): Promise<object> {
  for (const remote of await mirror.externalBilling.services(customerId)) {
    const service = await mirror.local.billing.service(remote.serviceId)
    if (!service && remote.status === "Active") await importService(mirror, remote)
    if (service) await update(mirror.ctx, service, remote)
  }
  return {}
}

/** During an outage, customer pages show the local copies. */
function notAnswering({ log }: MirrorContext, error: unknown): void {
  if (!(error instanceof BillingError)) throw error
  log.warn({ kind: error.kind, reason: error.message }, "external billing: services unavailable")
}

/** Copies changes by staff or the panel. A service that is pending locally or externally is not updated. */
async function update({ db }: DbContext, local: Service, remote: ExternalService): Promise<void> {
  const isDecided = local.status !== "Pending" && remote.status !== "Pending"
  if (!isDecided || local.customerId !== remote.customerId) return
  const { status, username, password } = remote
  await db
    .updateTable("services")
    .set({
      status,
      username,
      password,
      host: remote.host ?? local.host,
      name: remote.name,
      device_address: remote.deviceAddress ?? local.deviceAddress,
      notes: remote.notes ?? local.notes,
      connections: Math.max(remote.connections ?? 0, local.connections),
    })
    .where("id", "=", local.id)
    .where("status", "=", local.status)
    .execute()
}
