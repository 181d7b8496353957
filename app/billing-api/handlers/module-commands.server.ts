import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { paidStatuses } from "~/domain/orders/order-status"
import { type Credentials, newCredentials } from "~/domain/services/credentials"
import type { Service } from "~/domain/services/service"
import { decideByOperator } from "~/flows/payments/decide-by-operator.server"
import { ApiError } from "./api-error"
import { type ApiCall, ownService } from "./ownership"

/** Terminates the line of an active or suspended service. Does nothing for a pending or terminated service. */
export async function moduleTerminate(
  api: ApiCall,
  request: RequestOf<"moduleTerminate">,
): Promise<ResponseOf<"moduleTerminate">> {
  const service = await ownService(api, request)
  const { provisioner, billing, now, log } = api.services
  if (service.status !== "Active" && service.status !== "Suspended") return { result: "success" }
  await provisioner.terminate(service)
  await billing.markTerminated(service.id, now())
  log.info({ serviceId: service.id }, "service terminated via API")
  return { result: "success" }
}

/**
 * Provisions the line of a service. Recreates a terminated line; for an unpaid order, marks the order as paid on
 * behalf of the caller. Does nothing for an active service. Responds 409 if a cancelled service was never paid, and for one
 * that is suspended or has ended unpaid, which the operator resumes.
 */
export async function moduleCreate(
  api: ApiCall,
  request: RequestOf<"moduleCreate">,
): Promise<ResponseOf<"moduleCreate">> {
  const service = await ownService(api, request)
  const { services } = api
  if (service.status === "Suspended" || service.status === "Terminated")
    throw new ApiError("conflict", `Service is ${service.status.toLowerCase()}`)
  if (service.status === "Cancelled") await revive(api, service, credentialsIn(api, request))
  if (service.status === "Pending") await release(api, service)
  services.wakeJobs()
  return { result: "success" }
}

function credentialsIn(
  { services }: ApiCall,
  { username, password }: RequestOf<"moduleCreate">,
): Credentials {
  const drawn = newCredentials(services.randomInt)
  return { username: username ?? drawn.username, password: password ?? drawn.password }
}

async function revive({ services }: ApiCall, { id }: Service, credentials: Credentials): Promise<void> {
  const { billing, now } = services
  if (await billing.reactivateService(id, credentials, now())) return
  throw new ApiError("conflict", "Service is not paid")
}

/**
 * Marks the order as paid. The caller vouches for a payment outside this shop, for example by its credit or in cash: what the
 * shop's gateways still receive for it becomes account credit.
 */
async function release({ services }: ApiCall, { orderId }: Service): Promise<void> {
  const order = await services.billing.order(orderId)
  if (!order || paidStatuses.includes(order.status)) return
  const decision = { event: "paid", reason: "billing API", force: true } as const
  const { kind } = await decideByOperator(services, orderId, decision)
  if (kind === "done") services.log.warn({ orderId }, "order marked paid via API")
}
