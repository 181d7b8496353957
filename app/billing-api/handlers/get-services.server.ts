import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { listOf, type OptionIds, oneOf } from "~/billing-api/contract/services"
import { optionIds } from "~/domain/catalogue/catalogue"
import type { Service } from "~/domain/services/service"
import { productsOnSale } from "~/flows/services/all-products.server"
import { notFound } from "./api-error"
import { type ApiCall, ownerOf, ownService } from "./ownership"

/** Lists a customer's services, or gets one, whose fields are also at the top level of the response. */
export async function getClientProducts(
  api: ApiCall,
  { clientid, serviceid }: RequestOf<"getClientProducts">,
): Promise<ResponseOf<"getClientProducts">> {
  if (serviceid === undefined) return listOf(await all(api, clientid), await contextOf(api))
  return oneOf(await ownService(api, { clientid, serviceid }), await contextOf(api))
}

export async function getActiveProducts(
  api: ApiCall,
  { clientid }: RequestOf<"getActiveProducts">,
): Promise<ResponseOf<"getActiveProducts">> {
  const active = (await all(api, clientid)).filter(({ status }) => status === "Active")
  return listOf(active, await contextOf(api))
}

export async function getResellerProducts(
  api: ApiCall,
  request: RequestOf<"getResellerProducts">,
): Promise<ResponseOf<"getResellerProducts">> {
  const { kind, name, status, orderId: orderid } = await ownService(api, request)
  if (kind !== "reseller") throw notFound("Reseller service")
  return { error: "", name, status, orderid }
}

async function contextOf({ services }: ApiCall) {
  const products = await productsOnSale(services.catalogue)
  return {
    timeZone: services.shop.timeZone,
    /** A product that is not in the catalogue any more has the customary ids. */
    optionIds(productId: string): OptionIds {
      const [extra, proxy] = products.find(({ id }) => id === productId)?.options ?? []
      return {
        extraConnection: extra?.id ?? optionIds.extraConnection,
        proxyProtection: proxy?.id ?? optionIds.proxyProtection,
      }
    },
  }
}

/** All services of the account, in any access scope: the caller with the API key decides which to show. */
async function all(api: ApiCall, clientid: string): Promise<readonly Service[]> {
  return api.services.billing.servicesOf({ id: ownerOf(api, clientid), reach: "account" })
}
