import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { TheirOrders } from "~/billing/external/external-orders"
import type { PaidThere, TheirService, TheirServices } from "~/billing/external/external-services"
import { MINUTE } from "~/domain/calendar"
import { type Ask, isRefusal } from "./api-client.server"
import { calls } from "./endpoints"
import type { Lines } from "./service-lookup.server"
import { connectionsNamed } from "./upsell-reference"

/** For how long nobody is asked a second time to make the same line. */
const ONCE_IN = 10 * MINUTE

/**
 * They make the line once they have the money; it is asked after again and again. They are told to make one that
 * they would not make of themselves: when they know it for paid and nothing has come of it, when it has been paid
 * without them, and when it is to be made anew.
 */
export function settingUpThere(
  ask: Ask,
  lines: Lines,
  standing: TheirOrders["standing"],
): Pick<TheirServices, "setUp"> {
  const told = new LRUCache<string, true>({ max: 10_000, ttl: ONCE_IN })

  /** What gave no answer may have been done: it is not asked for again at once. */
  async function create({ customerId, serviceId, credentials }: PaidThere): Promise<void> {
    const key = `${serviceId} ${credentials.username}`
    if (told.has(key)) return
    told.set(key, true)
    const said = { serviceid: serviceId, ...credentials }
    await ask(calls.moduleCreate, said, { customerId }).catch((error: unknown) => {
      if (isRefusal(error)) told.delete(key)
      throw error
    })
  }

  async function mayAsk(paid: PaidThere, { status }: TheirService): Promise<boolean> {
    if (status === "Cancelled" && !paid.anew) {
      throw new BillingError("refused", `Service ${paid.serviceId} has ended there`)
    }
    return paid.anew || paid.payments.length === 0 || (await standing(paid)).state === "paid"
  }

  return {
    async setUp(paid) {
      const service = await found(lines, paid)
      if (paid.kind === "upsell") return withMore(service, paid)
      if (service.status === "Active") return service
      if (await mayAsk(paid, service)) await create(paid)
      return working(await found(lines, paid))
    },
  }
}

async function found(lines: Lines, { customerId, serviceId }: PaidThere): Promise<TheirService> {
  const service = await lines.read({ customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `They have no service ${serviceId} of that customer`)
}

function working(service: TheirService): TheirService {
  if (service.status === "Active") return service
  throw new BillingError("unavailable", `Service ${service.serviceId} is not set up there yet`)
}

/** Where they do not say how many connections a service has, their word that it is paid is all there is. */
function withMore(service: TheirService, paid: PaidThere): TheirService {
  const wanted = connectionsNamed(paid.orderId) ?? paid.connections
  if (service.connections === null || service.connections >= wanted) return service
  throw new BillingError(
    "unavailable",
    `Service ${service.serviceId} does not have its connections there yet`,
  )
}
