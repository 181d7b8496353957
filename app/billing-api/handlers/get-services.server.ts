import type { Said, Told } from "~/billing-api/contract/endpoints"
import { listOf, oneOf } from "~/billing-api/contract/services"
import type { Service } from "~/domain/service"
import { notFound } from "./api-error"
import { type Api, ownerOf, ownService } from "./ownership"

/** A customer's services, or one of them, which is told straight in the answer too. */
export async function getClientProducts(
  api: Api,
  { clientid, serviceid }: Said<"getClientProducts">,
): Promise<Told<"getClientProducts">> {
  if (serviceid === undefined) return listOf(await all(api, clientid))
  return oneOf(await ownService(api, { clientid, serviceid }))
}

export async function getActiveProducts(
  api: Api,
  { clientid }: Said<"getActiveProducts">,
): Promise<Told<"getActiveProducts">> {
  return listOf((await all(api, clientid)).filter(({ status }) => status === "Active"))
}

export async function getResellerProducts(
  api: Api,
  said: Said<"getResellerProducts">,
): Promise<Told<"getResellerProducts">> {
  const { kind, name, status, orderId: orderid } = await ownService(api, said)
  if (kind !== "reseller") throw notFound("Reseller service")
  return { error: "", name, status, orderid }
}

/** Whoever has the key sees all of an account: what of it he shows to whom is his affair. */
async function all(api: Api, clientid: string): Promise<readonly Service[]> {
  return api.services.billing.servicesOf({ id: ownerOf(api, clientid), reach: "account" })
}
