import { BillingError } from "~/billing/billing"
import type { CompleteChoices } from "~/domain/choices"
import type { Customer } from "~/domain/customer"
import type { GatewayId } from "~/domain/gateway-id"
import type { Order } from "~/domain/order"
import type { Service } from "~/domain/service"
import { GatewayError } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import type { FaultyShop } from "./fault-injected-shop"

/** Somebody on his way, and what he has in hand. */
export type JourneyContext = {
  readonly shop: FaultyShop
  readonly gateway: GatewayId
  readonly email: string
  readonly extra?: Partial<CompleteChoices>
  order?: Order
  customer?: Customer
  /** He has been told that his order is being checked. */
  isChecked?: boolean
  /** Where he can pay, oldest first. */
  payUrls: string[]
}

export type Step = {
  readonly name: string
  /** True when it went as he wished. */
  act(traveller: JourneyContext): Promise<boolean>
}

export type Journey = {
  readonly name: string
  readonly gateways: readonly GatewayId[]
  readonly steps: readonly Step[]
  /** How many purchases he means to make. */
  readonly purchases: number
  /** True when he has what he came for. */
  readonly arrived: (traveller: JourneyContext) => Promise<boolean>
}

/** Whether a step went well. Failures that the shop knows to answer in words are no harm; any other is. */
export async function walked(step: Step, traveller: JourneyContext): Promise<boolean> {
  try {
    return await step.act(traveller)
  } catch (error) {
    const isKnown = [BillingError, GatewayError, ProvisioningError].some((kind) => error instanceof kind)
    if (!isKnown) throw error
    return false
  }
}

export async function serviceOf({ shop, order }: JourneyContext): Promise<Service | null> {
  const now = order && (await shop.services.billing.order(order.id))
  return now ? shop.services.billing.service(now.serviceId) : null
}
