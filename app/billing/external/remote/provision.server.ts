import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { ExternalOrders } from "~/billing/external/external-orders"
import type {
  ExternalService,
  ExternalServices,
  PaidExternalOrder,
} from "~/billing/external/external-services"
import { MINUTE } from "~/domain/calendar"
import { isStopped } from "~/domain/services/service"
import { isRejection, type RemoteCall } from "./api-client.server"
import { calls } from "./remote-calls"
import type { ServiceLookup } from "./service-lookup.server"
import { decodeUpsellReference } from "./upsell-reference"

/** Minimum interval between two `moduleCreate` calls for the same line, in milliseconds. */
const ONCE_IN = 10 * MINUTE

/**
 * Provisions services. The server creates a line once it is paid; until then `provision` throws and is retried.
 * `moduleCreate` is sent in three cases: the server reports the order as paid, but the line is not active; the server
 * took no payment for it; or the line is to be recreated.
 */
export function remoteProvisioning(
  remoteCall: RemoteCall,
  lines: ServiceLookup,
  orderStatus: ExternalOrders["orderStatus"],
): Pick<ExternalServices, "provision"> {
  const sent = new LRUCache<string, true>({ max: 10_000, ttl: ONCE_IN })

  /** A call without a response may have succeeded, so it is not repeated within `ONCE_IN`. */
  async function create({ customerId, serviceId, credentials }: PaidExternalOrder): Promise<void> {
    const key = `${serviceId} ${credentials.username}`
    if (sent.has(key)) return
    sent.set(key, true)
    const request = { serviceid: serviceId, ...credentials }
    await remoteCall(calls.moduleCreate, request, { customerId }).catch((error: unknown) => {
      if (isRejection(error)) sent.delete(key)
      throw error
    })
  }

  async function maySend(paid: PaidExternalOrder, service: ExternalService): Promise<boolean> {
    if (isStopped(service) && !paid.isRecreation) {
      throw new BillingError("refused", `Service ${paid.serviceId} is terminated at the billing server`)
    }
    return paid.isRecreation || paid.payments.length === 0 || (await orderStatus(paid)).state === "paid"
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
  throw new BillingError("refused", `Service not found at the billing server: ${serviceId}`)
}

function working(service: ExternalService): ExternalService {
  if (service.status === "Active") return service
  throw new BillingError("unavailable", `Service ${service.serviceId} is not provisioned yet`)
}

/** The service if it has its new connections, or if the server does not report their number. */
function withMore(service: ExternalService, paid: PaidExternalOrder): ExternalService {
  const wanted = decodeUpsellReference(paid.orderId) ?? paid.connections
  if (service.connections === null || service.connections >= wanted) return service
  throw new BillingError("unavailable", `Service ${service.serviceId} does not have its new connections yet`)
}
