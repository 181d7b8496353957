import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { listOf, oneOf } from "~/billing-api/contract/services"
import type { Service } from "~/domain/service"
import { notFound } from "./api-error"
import { type ApiCall, ownerOf, ownService } from "./ownership"

/** A customer's services, or one of them, which is told straight in the answer too. */
export async function getClientProducts(
  api: ApiCall,
  { clientid, serviceid }: RequestOf<"getClientProducts">,
): Promise<ResponseOf<"getClientProducts">> {
  if (serviceid === undefined) return listOf(await all(api, clientid))
  return oneOf(await ownService(api, { clientid, serviceid }))
}

export async function getActiveProducts(
  api: ApiCall,
  { clientid }: RequestOf<"getActiveProducts">,
): Promise<ResponseOf<"getActiveProducts">> {
  return listOf((await all(api, clientid)).filter(({ status }) => status === "Active"))
}

export async function getResellerProducts(
  api: ApiCall,
  request: RequestOf<"getResellerProducts">,
): Promise<ResponseOf<"getResellerProducts">> {
  const { kind, name, status, orderId: orderid } = await ownService(api, request)
  if (kind !== "reseller") throw notFound("Reseller service")
  return { error: "", name, status, orderid }
}

/** Whoever has the key sees all of an account: what of it he shows to whom is his affair. */
async function all(api: ApiCall, clientid: string): Promise<readonly Service[]> {
  return api.services.billing.servicesOf({ id: ownerOf(api, clientid), reach: "account" })
}
