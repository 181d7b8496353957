import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { orderOf } from "~/billing-api/contract/orders"
import { defaultLocale } from "~/domain/locales"
import { toDecimal } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { Service } from "~/domain/service"
import { extraFor, quoteUpsell, UPSELL_QUANTITY } from "~/domain/upsell"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { scopeIn } from "./accounts.server"
import { ApiError } from "./api-error"
import { productOnSale } from "./catalogue.server"
import { type ApiCall, ownerOf, ownService } from "./ownership"
import { assertOwnedBy } from "./place-order.server"
import { isSame } from "./same-amount"

type UpsellRequest = RequestOf<"addInvoice">

/** Orders more connections for a service at what they cost here; a key that has made an order answers with that. */
export async function addInvoice(api: ApiCall, said: UpsellRequest): Promise<ResponseOf<"addInvoice">> {
  const customerId = ownerOf(api, said.userid)
  const { billing } = api.services
  const made = said.key === undefined ? null : await billing.orderByIdempotencyKey(said.key)
  return orderOf(assertOwnedBy(made ?? (await place(api, said)), customerId), "")
}

async function place(api: ApiCall, said: UpsellRequest): Promise<Order> {
  const service = await ownService(api, { serviceid: said.serviceId, clientid: said.userid })
  const { services } = api
  await checkPrice(api, said, service)
  const scope = scopeIn(said)
  const placed = await buyUpsell(services, {
    ...{ service, customer: scope && { id: service.customerId, ...scope }, leavesCredit: true },
    ...{ orderId: null, key: said.key ?? services.newId(), quantity: said.extraQuantity, shownUnit: null },
    ...{ gateway: said.paymentmethod, locale: said.locale ?? defaultLocale.code, address: null },
    country: services.pricingContext.country,
    browser: null,
  })
  if (placed.kind === "placed") return placed.order
  throw new ApiError("not-available", `${placed.field}: ${placed.reason}`)
}

async function checkPrice({ services }: ApiCall, said: UpsellRequest, service: Service): Promise<void> {
  const { least, most } = UPSELL_QUANTITY
  const { extraQuantity: quantity } = said
  if (quantity < least || quantity > most)
    throw new ApiError("bad-request", `extraQuantity: must be ${least} to ${most}`)
  const extra = extraFor(service, await productOnSale(services, service.productId))
  if (!extra) throw new ApiError("not-available", "serviceId: extra connections are not available")
  const { total } = quoteUpsell(extra, quantity)
  const fits = said.currency === undefined || said.currency === total.currency
  const rights = said.key === undefined ? [total, extra.price] : [total]
  if (fits && rights.some((right) => isSame(said.price, toDecimal(right)))) return
  throw new ApiError(
    "price-changed",
    `Amount does not match the price: ${toDecimal(total)} ${total.currency}`,
  )
}
