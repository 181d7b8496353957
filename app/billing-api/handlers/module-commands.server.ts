import type { Said, Told } from "~/billing-api/contract/endpoints"
import { type Credentials, newCredentials } from "~/domain/credentials"
import { bought } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import { ApiRefusal } from "./api-error"
import { type Api, ownService } from "./ownership"

/** Ends a line. One that has ended, or that has not been made yet, is none. */
export async function moduleTerminate(
  api: Api,
  said: Said<"moduleTerminate">,
): Promise<Told<"moduleTerminate">> {
  const service = await ownService(api, said)
  const { provisioner, billing, log } = api.services
  if (service.status !== "Active") return { result: "success" }
  await provisioner.terminate(service)
  await billing.endService(service.id)
  log.info({ serviceId: service.id }, "line ended by a call of the API")
  return { result: "success" }
}

/**
 * Has a line made: one that has ended anew, and one that waits for money at the caller's word that it is paid for.
 * What works stays as it is.
 */
export async function moduleCreate(api: Api, said: Said<"moduleCreate">): Promise<Told<"moduleCreate">> {
  const service = await ownService(api, said)
  const { services } = api
  if (service.status === "Cancelled") await revive(api, service, credentialsIn(api, said))
  if (service.status === "Pending") await release(api, service)
  services.wakeJobs()
  return { result: "success" }
}

function credentialsIn({ services }: Api, { username, password }: Said<"moduleCreate">): Credentials {
  const drawn = newCredentials(services.draw)
  return { username: username ?? drawn.username, password: password ?? drawn.password }
}

async function revive({ services }: Api, { id }: Service, credentials: Credentials): Promise<void> {
  const { billing, now } = services
  if (await billing.reviveService(id, credentials, now())) return
  throw new ApiRefusal("conflict", "Service is not paid")
}

/** Whoever has the key vouches for what he has been paid: by credit there, or at his desk. */
async function release({ services }: Api, { orderId }: Service): Promise<void> {
  const { billing, now, log } = services
  const order = await billing.order(orderId)
  if (!order || bought.includes(order.status)) return
  await billing.moveOrder(orderId, "paid", now())
  log.warn({ orderId }, "order paid at the word of a caller of the API")
}
