import { isRefusedByBilling } from "~/billing/billing"
import type { NewTopUp } from "~/billing/orders/new-order"
import type { LoggedServices } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { money } from "~/domain/money/money"
import { REFUSED_TOP_UP, topUpQuote } from "~/domain/orders/top-up"
import type { Service } from "~/domain/services/service"
import { holdReason } from "~/flows/checkout/check-fraud.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import {
  fieldsOfRequest,
  orSentBefore,
  rejected,
  type ServiceOrderRequest,
  type ServicePlacement,
} from "./service-order.server"

export type TopUpRequest = ServiceOrderRequest & {
  /** The service from whose page credit is added. */
  service: Service
  /** Its customer, signed in for the whole account. */
  customer: AuthenticatedCustomer
  /** In minor units of the service's currency. */
  amount: number
}

export type TopUpPlacement = ServicePlacement<"form" | "gateway">

const refusal = rejected("form", REFUSED_TOP_UP)

/** Orders one of the configured amounts of account credit. Idempotent by `key`. */
export async function topUp(services: LoggedServices, request: TopUpRequest): Promise<TopUpPlacement> {
  const placement = await placeNew(services, request)
  return orSentBefore(services, placement, { ...request, kind: "topup" })
}

async function placeNew(services: LoggedServices, request: TopUpRequest): Promise<TopUpPlacement> {
  const { service, buyer } = request
  const refused = await refusedGateway(services, request.gateway, async () => false)
  if (refused) return refused
  const policy = services.shop.terms?.topUps
  if (!policy?.amounts.includes(request.amount)) return refusal
  const { customerId } = service
  const order = newServiceOrder<NewTopUp>(services, {
    ...fieldsOfRequest(request, customerId),
    accessScope: { reach: "account" },
    // Account credit does not buy account credit.
    accountCreditScope: "none",
    holdReason: await holdReason(services, request, customerId),
    serviceId: service.id,
    quote: topUpQuote(money(request.amount, service.currency)),
    buyer,
    max: policy.max,
  })
  try {
    return { kind: "placed", order: await services.billing.placeTopUp(order) }
  } catch (error) {
    // There is too much credit by now, the service has ended, or the key belongs to another customer's order.
    if (!isRefusedByBilling(error)) throw error
    return refusal
  }
}
