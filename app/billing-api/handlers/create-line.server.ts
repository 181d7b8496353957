import type { RequestOf } from "~/billing-api/contract/endpoints"
import type { LoggedServices, Services } from "~/context/services.server"
import { planOf } from "~/domain/catalogue/catalogue"
import { defaultLocale } from "~/domain/locales"
import type { Order } from "~/domain/orders/order"
import { newLine } from "~/flows/checkout/new-order.server"
import { scopeIn } from "./accounts.server"
import { ApiError, notFound } from "./api-error"
import { productOnSale } from "./catalogue.server"
import { credentialsIn, productIdIn } from "./parse-order.server"
import { reasonToHold } from "./reason-to-hold.server"
import { isSame } from "./same-amount"

/**
 * Creates a line for a reseller's own customer: its price is 0.00, it uses one reseller credit, and it runs for the plan's cycle.
 * Throws `ApiError`: `not-found`, `not-available` for another cycle, `price-changed` for another amount.
 */
export async function createLine(
  services: LoggedServices,
  request: RequestOf<"order">,
  customerId: string,
): Promise<Order> {
  const product = await productOnSale(services, productIdIn(request))
  const plan = planOf(product, request.currency)
  if (product.kind !== "plan" || !plan) throw notFound("Product")
  // A credit pays for one cycle, whatever its length.
  if (request.billingcycle !== undefined && request.billingcycle !== plan.cycle)
    throw new ApiError("not-available", `billingcycle: a line runs for the plan's, ${plan.cycle}`)
  if (!isSame(request.amount, "0.00"))
    throw new ApiError("price-changed", "Amount of a line must be 0.00: it is paid with reseller credits")
  const made = await services.billing.createLine(
    newLine(services, {
      key: request.key ?? services.newId(),
      customerId,
      resellerServiceId: await resellerServiceOf(services, customerId),
      // The caller has already checked which reseller credits the session may use.
      accessScope: scopeIn(request),
      resellerCreditScope: { reach: "account" },
      holdReason: await reasonToHold(services, request),
      plan,
      gateway: request.paymentmethod,
      locale: request.locale ?? defaultLocale.code,
      address: request.ip ?? null,
      notes: "",
      credentials: credentialsIn(services, product, request),
    }),
  )
  services.wakeJobs()
  return made
}

async function resellerServiceOf({ billing }: Pick<Services, "billing">, id: string): Promise<string> {
  const services = await billing.servicesOf({ id, reach: "account" })
  const found = services.find(({ kind, status }) => kind === "reseller" && status === "Active")
  if (!found) throw new ApiError("refused", "Customer is not a reseller")
  return found.id
}
