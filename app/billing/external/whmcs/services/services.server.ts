import { BillingError } from "~/billing/billing"
import type { ExternalService } from "~/billing/external/external-services"
import type { FormFields } from "~/http/form-client.server"
import type { WhmcsApi } from "../client/api.server"
import { allOf } from "../client/pagination.server"
import type { Whmcs } from "../context.server"
import { serviceOf } from "./service-mapping"
import { ServiceShape, type WhmcsService } from "./service-schema"

type Owner = { readonly customerId: string; readonly serviceId: string }

/** The services of a client. Filters out services of other clients, in case WHMCS ignores `clientid`. */
export async function servicesAt(
  { api }: Whmcs,
  clientid: string,
  one: { serviceid?: string } = {},
): Promise<readonly WhmcsService[]> {
  const services = await listed(api, { clientid, ...one })
  return services.filter((it) => it.clientid === clientid)
}

function listed(api: WhmcsApi, params: FormFields): Promise<readonly WhmcsService[]> {
  return allOf(api, {
    action: "GetClientsProducts",
    params,
    path: ["products", "product"],
    item: ServiceShape,
  })
}

export async function serviceAt(whmcs: Whmcs, owner: Owner): Promise<WhmcsService | null> {
  const { customerId, serviceId: serviceid } = owner
  const found = await servicesAt(whmcs, customerId, { serviceid })
  return found.find(({ id }) => id === serviceid) ?? null
}

/** A service of a client. Throws `BillingError` "refused" if the client has no such service. */
export async function ownService(whmcs: Whmcs, { customerId, serviceId }: Owner): Promise<WhmcsService> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `Service ${serviceId} of this client not found in WHMCS`)
}

/** The service with an id, whoever has it; null if WHMCS has none. */
export async function anyServiceAt({ api }: Whmcs, serviceid: string): Promise<WhmcsService | null> {
  return (await listed(api, { serviceid })).find(({ id }) => id === serviceid) ?? null
}

export async function toExternalService(whmcs: Whmcs, service: WhmcsService): Promise<ExternalService> {
  const { settings, clock, dueDays, products, currencies } = whmcs
  const [kind, product, currency] = await Promise.all([
    products.kindOf(service.pid),
    products.product(service.pid),
    currencies.of(service.clientid),
  ])
  return serviceOf(service, { kind, product, currency, settings, clock, dueDays })
}

export async function findExternalServices(
  whmcs: Whmcs,
  customerId: string,
): Promise<readonly ExternalService[]> {
  const services = await servicesAt(whmcs, customerId)
  return Promise.all(services.map((it) => toExternalService(whmcs, it)))
}

export async function findExternalService(whmcs: Whmcs, owner: Owner): Promise<ExternalService | null> {
  const service = await serviceAt(whmcs, owner)
  return service && toExternalService(whmcs, service)
}

/** Whether a client has an active reseller plan. */
export async function hasResellerPlan(whmcs: Whmcs, customerId: string): Promise<boolean> {
  if (!whmcs.settings.resellerPlans) return false
  const active = (await servicesAt(whmcs, customerId)).filter(({ status }) => status === "active")
  const kinds = await Promise.all(active.map(({ pid }) => whmcs.products.kindOf(pid)))
  return kinds.includes("reseller")
}
