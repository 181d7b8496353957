import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import { orderOf } from "~/billing-api/contract/orders"
import type { LoggedServices } from "~/context/services.server"
import { planIdIn } from "~/domain/catalogue/pricing"
import { defaultLocale } from "~/domain/locales"
import type { Order } from "~/domain/orders/order"
import { newOrder } from "~/flows/checkout/new-order.server"
import { pricedForCustomer } from "~/flows/checkout/priced-for.server"
import { isOffered } from "~/flows/payments/available-gateways.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { scopeIn } from "./accounts.server"
import { ApiError } from "./api-error"
import { productOnSale } from "./catalogue.server"
import { createLine } from "./create-line.server"
import { type ApiCall, ownerOf } from "./ownership"
import { credentialsIn, productIdIn } from "./parse-order.server"
import { agreedPrice } from "./price-order.server"
import { reasonToHold } from "./reason-to-hold.server"

type OrderRequest = RequestOf<"order">

/**
 * Orders a plan like the checkout does (billing API: order). Responds 409 `price-changed`, without writing anything, if
 * `amount` is not the current price. Idempotent: a repeated key returns the same order, and 409 for another plan.
 */
export async function order(api: ApiCall, request: OrderRequest): Promise<ResponseOf<"order">> {
  const customerId = ownerOf(api, request.userid)
  const services = pricedForCustomer(api.services, customerId)
  const made = request.key === undefined ? null : await services.billing.orderByIdempotencyKey(request.key)
  const placed = assertOwnedBy(made ?? (await placeForCustomer(services, request, customerId)), customerId)
  if (planIdIn(placed.lines) !== productIdIn(request)) throw keyConflict()
  return orderOf(placed, await linkFor(services, placed, request))
}

/** Returns the order if it belongs to the customer; throws 409 if another customer's order used the key. */
export function assertOwnedBy(order: Order, customerId: string): Order {
  if (order.customerId === customerId) return order
  throw keyConflict()
}

export function keyConflict(): ApiError {
  return new ApiError("idempotency-key-conflict", "Idempotency key was used for a different order")
}

async function placeForCustomer(
  services: LoggedServices,
  request: OrderRequest,
  customerId: string,
): Promise<Order> {
  if (request.kind === "line") return createLine(services, request, customerId)
  if (!(await isOffered(services, request.paymentmethod))) {
    throw new ApiError("not-available", "paymentmethod: not available")
  }
  const product = await productOnSale(services, productIdIn(request))
  const priced = await agreedPrice(services, request, product)
  const placed = await services.billing.placeOrder(
    newOrder(services, {
      key: request.key ?? services.newId(),
      kind: product.kind,
      customerId,
      accessScope: scopeIn(request),
      // Account credit of this shop is spent in its own checkout only, by the authenticated customer.
      accountCreditScope: "none",
      holdReason: await reasonToHold(services, request),
      plan: priced.plan,
      quote: priced.quote,
      gateway: request.paymentmethod,
      locale: request.locale ?? defaultLocale.code,
      address: request.ip ?? null,
      browser: null,
      affiliateId: request.affid ?? null,
      // Another storefront, whose earlier steps are not seen here.
      isUncounted: true,
      credentials: credentialsIn(services, product, request),
    }),
  )
  services.wakeJobs()
  return placed
}

/** Older callers redirect the buyer to the link in the response. Callers that send `key` request the link later. */
async function linkFor(
  services: LoggedServices,
  placed: Order,
  { key, nolink, paymentmethod }: OrderRequest,
) {
  if (key !== undefined || nolink) return ""
  const opening = await openPayment(services, placed, { gateway: paymentmethod, coin: null })
  return opening.kind === "opened" ? opening.url : ""
}
