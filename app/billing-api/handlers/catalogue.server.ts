import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { fieldsOf, toProductList } from "~/billing-api/contract/products"
import { promotionsOf } from "~/billing-api/contract/promotions"
import type { Product } from "~/domain/catalogue/catalogue"
import { countryIn } from "~/domain/customers/country"
import { hostOf } from "~/domain/host"
import { pricedFor } from "~/flows/checkout/priced-for.server"
import { isOffered } from "~/flows/payments/available-gateways.server"
import { productsOnSale } from "~/flows/services/all-products.server"
import { notFound } from "./api-error"
import type { ApiCall } from "./ownership"

type Prices = Pick<Catalogue, "plans" | "resellerPlans">

export async function getProducts(
  { services }: ApiCall,
  request: RequestOf<"getProducts">,
): Promise<ResponseOf<"getProducts">> {
  return toProductList(await pricesIn(services, request).plans())
}

export async function getResellersProducts(
  { services }: ApiCall,
  request: RequestOf<"getResellersProducts">,
): Promise<ResponseOf<"getResellersProducts">> {
  return toProductList(await pricesIn(services, request).resellerPlans())
}

/** The prices of a country, if the caller names one. */
function pricesIn(services: ApiCall["services"], { country }: RequestOf<"getProducts">): Prices {
  if (country === undefined) return services.billing
  return pricedFor(services, async () => ({ named: null, located: countryIn(country) })).billing
}

export async function getProduct(
  { services }: ApiCall,
  { pid, ...request }: RequestOf<"getProduct">,
): Promise<ResponseOf<"getProduct">> {
  return toProductList([await productOnSale({ billing: pricesIn(services, request) }, pid)])
}

export async function getProductCustomFields(
  { services }: ApiCall,
  { id }: RequestOf<"getProductCustomFields">,
): Promise<ResponseOf<"getProductCustomFields">> {
  return fieldsOf(await productOnSale(services, id))
}

/** Promotion of a promo code. An unknown code yields an empty list (specification, Promotions), and so does one that is off. */
export async function getPromotion(
  { services }: ApiCall,
  { code }: RequestOf<"getPromotion">,
): Promise<ResponseOf<"getPromotion">> {
  const { billing } = services
  const found = await billing.promotion(code)
  const promotion = found?.isOff ? null : found
  return promotionsOf(promotion, promotion ? await billing.promotionUses(promotion.code) : 0)
}

/** Payment methods with the origins of their payment pages. */
export async function getGateway({ services }: ApiCall): Promise<ResponseOf<"getGateway">> {
  const taken = await Promise.all(services.enabledGateways.map((id) => isOffered(services, id)))
  const offered = services.enabledGateways.filter((_, at) => taken[at])
  const paymentmethod = offered.map((module) => {
    const origins = [...(services.gateways.get(module)?.origins ?? [])]
    return { module, displayname: hostOf(origins[0]), origin: origins[0] ?? "", origins }
  })
  return { result: "success", paymentmethods: { paymentmethod }, extras: [...extras] }
}

/** Extensions of the spec; older servers lack them, so callers check this list. */
const extras = ["key", "invoice", "cryptomus", "btcpay", "setPassword", "endSignUpPassword"] as const

/** A plan or reseller plan on sale, by id. Throws 404 if there is none. */
export async function productOnSale({ billing }: { readonly billing: Prices }, id: string): Promise<Product> {
  const product = (await productsOnSale(billing)).find((it) => it.id === id)
  if (!product) throw notFound("Product")
  return product
}
