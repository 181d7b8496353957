import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { orderOf } from "~/billing-api/contract/orders"
import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { defaultLocale } from "~/domain/locales"
import { toDecimal } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { Service } from "~/domain/services/service"
import { extraFor, quoteUpsell, UPSELL_QUANTITY } from "~/domain/services/upsell"
import { pricedForCustomer } from "~/flows/checkout/priced-for.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { scopeIn } from "./accounts.server"
import { ApiError } from "./api-error"
import { productOnSale } from "./catalogue.server"
import { type ApiCall, ownerOf, ownService } from "./ownership"
import { assertOwnedBy, keyConflict } from "./place-order.server"
import { isSame } from "./same-amount"

type UpsellRequest = RequestOf<"addInvoice">

/**
 * Orders extra connections for a service (billing API: addInvoice). Responds 409 `price-changed` if the price differs.
 * Idempotent per key.
 */
export async function addInvoice(api: ApiCall, request: UpsellRequest): Promise<ResponseOf<"addInvoice">> {
  const customerId = ownerOf(api, request.userid)
  const { billing } = api.services
  const made = request.key === undefined ? null : await billing.orderByIdempotencyKey(request.key)
  const placed = assertOwnedBy(made ?? (await placeUpsell(api, request)), customerId)
  if (placed.kind !== "upsell") throw keyConflict()
  return orderOf(placed, "")
}

async function placeUpsell(api: ApiCall, request: UpsellRequest): Promise<Order> {
  const service = await ownService(api, { serviceid: request.serviceId, clientid: request.userid })
  const services = pricedForCustomer(api.services, service.customerId)
  await checkPrice(services, request, service)
  const scope = scopeIn(request)
  const placed = await buyUpsell(services, {
    service,
    customer: scope && { id: service.customerId, ...scope },
    isByApi: true,
    orderId: null,
    key: request.key ?? services.newId(),
    quantity: request.extraQuantity,
    shownUnit: null,
    gateway: request.paymentmethod,
    locale: request.locale ?? defaultLocale.code,
    address: null,
    country: UNKNOWN_COUNTRY,
    browser: null,
  })
  if (placed.kind === "placed") return placed.order
  throw new ApiError("not-available", `${placed.field}: ${placed.reason}`)
}

async function checkPrice(
  services: ApiCall["services"],
  request: UpsellRequest,
  service: Service,
): Promise<void> {
  const { min, max } = UPSELL_QUANTITY
  const { extraQuantity: quantity } = request
  if (quantity < min || quantity > max)
    throw new ApiError("bad-request", `extraQuantity: must be ${min} to ${max}`)
  const extra = extraFor(service, await productOnSale(services, service.productId), services.now())
  if (!extra) throw new ApiError("not-available", "serviceId: extra connections are not available")
  const { total } = quoteUpsell(extra, quantity)
  const fits = request.currency === undefined || request.currency === total.currency
  const rights = request.key === undefined ? [total, extra.price] : [total]
  if (fits && rights.some((right) => isSame(request.price, toDecimal(right)))) return
  throw new ApiError(
    "price-changed",
    `Amount does not match the price: ${toDecimal(total)} ${total.currency}`,
  )
}
