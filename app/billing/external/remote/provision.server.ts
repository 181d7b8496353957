import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { ExternalOrders } from "~/billing/external/external-orders"
import type {
  ExternalService,
  ExternalServices,
  PaidExternalOrder,
} from "~/billing/external/external-services"
import { MINUTE } from "~/domain/calendar"
import { isRejection, type RemoteCall } from "./api-client.server"
import { calls } from "./endpoints"
import type { ServiceLookup } from "./service-lookup.server"
import { decodeUpsellReference } from "./upsell-reference"

/** For how long nobody is asked a second time to make the same line. */
const ONCE_IN = 10 * MINUTE

/**
 * They make the line once they have the money; it is asked after again and again. They are told to make one that
 * they would not make of themselves: when they know it for paid and nothing has come of it, when it has been paid
 * without them, and when it is to be made anew.
 */
export function remoteProvisioning(
  remoteCall: RemoteCall,
  lines: ServiceLookup,
  orderStatus: ExternalOrders["orderStatus"],
): Pick<ExternalServices, "provision"> {
  const result = new LRUCache<string, true>({ max: 10_000, ttl: ONCE_IN })

  /** What gave no answer may have been done: it is not asked for again at once. */
  async function create({ customerId, serviceId, credentials }: PaidExternalOrder): Promise<void> {
    const key = `${serviceId} ${credentials.username}`
    if (result.has(key)) return
    result.set(key, true)
    const request = { serviceid: serviceId, ...credentials }
    await remoteCall(calls.moduleCreate, request, { customerId }).catch((error: unknown) => {
      if (isRejection(error)) result.delete(key)
      throw error
    })
  }

  async function maySend(paid: PaidExternalOrder, { status }: ExternalService): Promise<boolean> {
    if (status === "Cancelled" && !paid.anew) {
      throw new BillingError("refused", `Service ${paid.serviceId} has ended there`)
    }
    return paid.anew || paid.payments.length === 0 || (await orderStatus(paid)).state === "paid"
  }

  return {
    async provision(paid) {
      const service = await found(lines, paid)
      if (paid.kind === "upsell") return withMore(service, paid)
      if (service.status === "Active") return service
      if (await maySend(paid, service)) await create(paid)
      return working(await found(lines, paid))
    },
  }
}

async function found(
  lines: ServiceLookup,
  { customerId, serviceId }: PaidExternalOrder,
): Promise<ExternalService> {
  const service = await lines.read({ customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `They have no service ${serviceId} of that customer`)
}

function working(service: ExternalService): ExternalService {
  if (service.status === "Active") return service
  throw new BillingError("unavailable", `Service ${service.serviceId} is not set up there yet`)
}

/** Where they do not say how many connections a service has, their word that it is paid is all there is. */
function withMore(service: ExternalService, paid: PaidExternalOrder): ExternalService {
  const wanted = decodeUpsellReference(paid.orderId) ?? paid.connections
  if (service.connections === null || service.connections >= wanted) return service
  throw new BillingError(
    "unavailable",
    `Service ${service.serviceId} does not have its connections there yet`,
  )
}
