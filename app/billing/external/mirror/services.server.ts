import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { Customers } from "~/billing/customers/customers"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ExternalService } from "~/billing/external/external-services"
import type { ServiceRepository } from "~/billing/services/service-repository"
import { SECOND } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { isProvisioned, isStopped, type Service } from "~/domain/services/service"
import type { MirrorContext } from "./context.server"
import { copied } from "./customers.server"

/** How long the fetched services of a customer count as fresh, in milliseconds. */
const GOOD_FOR = 10 * SECOND
/** How many services that a list does not have are looked up in one refresh; the others in the next. */
const MAX_MISSING = 20

/**
 * Local copies of external services. A service sold by this shop is managed locally until it works. Later external
 * changes, and services sold directly in the external system, are fetched and copied.
 */
export function mirrorServices(
  mirror: MirrorContext,
): Pick<Customers, "servicesOf"> & Pick<ServiceRepository, "service" | "setNotes"> {
  const { store, local, externalBilling, runInBackground } = mirror
  const refreshes = new LRUCache<string, readonly ExternalService[]>({
    max: 1_000,
    ttl: GOOD_FOR,
    fetchMethod: async (customerId) => refreshServices(mirror, customerId),
  })
  return {
    async service(id) {
      const service = await local.billing.service(await store.currentServiceId(id))
      if (!service || !isProvisioned(service) || refreshes.has(service.customerId)) return service
      runInBackground("service refresh", async () => refreshes.fetch(service.customerId))
      return service
    },

    async servicesOf(customer) {
      await refreshes.fetch(customer.id).catch((error: unknown) => notAnswering(mirror, error))
      return local.billing.servicesOf(customer)
    },

    async setNotes(id, notes) {
      const service = await local.billing.service(await store.currentServiceId(id))
      if (!service) return
      const { customerId, productId } = service
      await externalBilling.setNotes({ customerId, productId, serviceId: service.id }, notes)
      await local.billing.setNotes(service.id, notes)
    },
  }
}

/**
 * Copies the services of a customer from the external system, and returns them as it lists them. A service whose recreation waits
 * stays as it is here: the response to the end of its line may have been lost, and the job that goes on needs a service that works.
 */
export async function refreshServices(
  mirror: MirrorContext,
  customerId: string,
): Promise<readonly ExternalService[]> {
  const { local, externalBilling, store } = mirror
  // Read before the list: what is set up meanwhile is not missing in it.
  const held = await servicesHeld(mirror, customerId)
  const services = await externalBilling.services(customerId)
  const recreated = new Set(await store.servicesInRecreation(customerId))
  for (const remote of services) {
    const service = await local.billing.service(remote.serviceId)
    if (!service && isProvisioned(remote)) await imported(mirror, remote)
    if (service && !recreated.has(service.id)) await update(mirror, service, remote)
  }
  const known = new Set([...recreated, ...services.map(({ serviceId }) => serviceId)])
  for (const service of held.filter(({ id }) => !known.has(id)).slice(0, MAX_MISSING))
    await followMissing(mirror, service)
  return services
}

async function servicesHeld({ local }: MirrorContext, id: string): Promise<readonly Service[]> {
  return (await local.billing.servicesOf({ id, reach: "account" })).filter(isProvisioned)
}

/**
 * A service that its customer's list does not have: it is not active and the list has active ones alone, staff have deleted it or
 * given it to another client, or the system was restored from a backup of before.
 */
async function followMissing(mirror: MirrorContext, service: Service): Promise<void> {
  const { store, externalBilling, log } = mirror
  const { id: serviceId, customerId } = service
  if (externalBilling.ownerOf === null) {
    const remote = await externalBilling.service({ customerId, serviceId })
    if (remote) return update(mirror, service, remote)
  }
  const owner = (await externalBilling.ownerOf?.(serviceId)) ?? null
  if (owner) return followOwner(mirror, service, owner)
  await store.releaseService(service)
  log.warn({ serviceId, customerId, newCustomerId: null }, "service moved or deleted externally")
}

async function followOwner(
  mirror: MirrorContext,
  service: Service,
  { customerId: newCustomerId, ...owner }: ExternalCustomer,
): Promise<void> {
  const { store, externalBilling, log } = mirror
  const { id: serviceId, customerId } = service
  if (newCustomerId === customerId) return
  const remote = await externalBilling.service({ customerId: newCustomerId, serviceId })
  if (remote && isAnother(service, remote)) return replaced(mirror, service, remote)
  await store.moveService(service, (await copied(mirror, { ...owner, customerId: newCustomerId })).id)
  log.warn({ serviceId, customerId, newCustomerId }, "service moved or deleted externally")
}

/**
 * Whether the id of a service is another one's by now: a restored system counts on from its backup. Staff who give a service to another
 * client leave its username as it is.
 */
function isAnother(local: Service, remote: ExternalService): boolean {
  return (
    local.customerId !== remote.customerId && remote.username !== "" && local.username !== remote.username
  )
}

/**
 * Whether the customer of a service is the one whom this shop knows by that id. Where either has no key, by the e-mail: one that staff
 * have changed is known here from the customer's next order or sign-in on.
 */
async function isOfSameCustomer(
  { store, externalBilling }: MirrorContext,
  { serviceId, customerId }: ExternalService,
): Promise<boolean> {
  const [known, owner] = await Promise.all([store.customer(customerId), externalBilling.ownerOf?.(serviceId)])
  if (!known || !owner) return true
  if (known.key !== null && owner.key) return known.key === owner.key
  return known.isErased || normalizeEmail(known.email) === normalizeEmail(owner.email)
}

/** The service that had the id has ended, and its customer sees nothing of the other one, which cannot be shown here. */
async function replaced(
  { store, log }: MirrorContext,
  service: Service,
  remote: ExternalService,
): Promise<void> {
  if (isStopped(service)) return
  await store.releaseService(service)
  const { id: serviceId, customerId } = service
  log.error({ serviceId, customerId, newCustomerId: remote.customerId }, "external id given out again")
}

/** During an outage, customer pages show the local copies. */
function notAnswering({ log }: MirrorContext, error: unknown): void {
  if (!(error instanceof BillingError)) throw error
  log.warn({ kind: error.kind, reason: error.message }, "external billing: services unavailable")
}

/** Imports a service bought directly in the external system. Skips one without a known currency. */
async function imported(mirror: MirrorContext, service: ExternalService): Promise<void> {
  const { store, now, log } = mirror
  const { serviceId, customerId } = service
  if (!(await isOfSameCustomer(mirror, service)))
    return log.error({ serviceId, customerId }, "external id given out again")
  const currency = service.currency ?? (await store.customer(service.customerId))?.currency
  if (currency) await store.importService(service, { currency, at: service.createdAt ?? now() })
}

/**
 * Copies changes by staff or the panel, who may have given the service to another client. A service that is pending locally or
 * externally is not updated.
 */
async function update(mirror: MirrorContext, local: Service, remote: ExternalService): Promise<void> {
  const { store, externalBilling } = mirror
  if (local.status === "Pending" || remote.status === "Pending") return
  const hasOtherLogin = remote.username !== local.username
  if (isAnother(local, remote) || (hasOtherLogin && !(await isOfSameCustomer(mirror, remote))))
    return replaced(mirror, local, remote)
  if (local.customerId !== remote.customerId) {
    if (!externalBilling.ownerOf) return
    await store.moveService(local, remote.customerId)
  }
  await store.updateService(local, remote)
}
