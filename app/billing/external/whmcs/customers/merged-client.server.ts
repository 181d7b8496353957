import { BillingError, isRefusedByBilling } from "~/billing/billing"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { usernamesOf } from "../services/service-credentials.server"
import { anyServiceAt } from "../services/services.server"
import { ClientResponse } from "./client-schema"
import { CLIENT_NOT_FOUND } from "./clients.server"

type Owned = { readonly customerId: string; readonly serviceId: string; readonly username: string }

/**
 * Acts on an order; if WHMCS does not have it with the client who placed it, because staff have merged that client into another, acts
 * again with the other one. Idempotent if `act` is. Throws what `act` throws, and `BillingError` "refused" with what to do for a
 * service that staff have given to another client.
 */
export async function withPresentClient<Order extends Owned, T>(
  whmcs: Whmcs,
  owned: Order,
  act: (owned: Order) => Promise<T>,
): Promise<T> {
  try {
    return await act(owned)
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    const customerId = await otherOwner(whmcs, owned)
    if (customerId === null) throw error
    await checkMerged(whmcs, owned, customerId)
    return act({ ...owned, customerId })
  }
}

/**
 * The client who has the service now; null: the one who placed the order, or WHMCS does not have it. After a restore another service
 * may have its id, which its username tells.
 */
async function otherOwner(whmcs: Whmcs, { customerId, serviceId, username }: Owned): Promise<string | null> {
  const service = await anyServiceAt(whmcs, serviceId)
  if (!service || service.clientid === customerId) return null
  const names = usernamesOf(whmcs, service)
  return names.length === 0 || names.includes(username) ? service.clientid : null
}

/** WHMCS names no merge. A client who was merged is gone, and what they had is the other one's. */
async function checkMerged(
  { api }: Whmcs,
  { customerId: clientid, serviceId }: Omit<Owned, "username">,
  owner: string,
): Promise<void> {
  const call = api.read("GetClientsDetails", { clientid }, ClientResponse)
  if ((await nullOnError(CLIENT_NOT_FOUND, call)) === null) return
  throw new BillingError(
    "refused",
    `WHMCS service ${serviceId} was moved from client ${clientid} to client ${owner} before its order was completed: move service, order and invoice back, retry the job, and move them afterwards`,
  )
}
