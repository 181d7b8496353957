import { BillingError } from "~/billing/billing"
import type { Customer } from "~/domain/customers/customer"
import type { CompleteChoices } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Service } from "~/domain/services/service"
import { GatewayError } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import type { FaultyShop } from "./fault-injected-shop"

/** State of a journey. */
export type JourneyContext = {
  readonly shop: FaultyShop
  readonly gateway: GatewayId
  readonly email: string
  readonly extra?: Partial<CompleteChoices>
  order?: Order
  customer?: Customer
  /** The waiting page shows that the order is being checked. */
  isChecked?: boolean
  /** Payment URLs, oldest first. */
  payUrls: string[]
}

export type Step = {
  readonly name: string
  /** Returns whether the step succeeded. */
  act(traveller: JourneyContext): Promise<boolean>
}

export type Journey = {
  readonly name: string
  readonly gateways: readonly GatewayId[]
  readonly steps: readonly Step[]
  /** Number of intended purchases. */
  readonly purchases: number
  /** Returns whether the journey reached its goal. */
  readonly arrived: (traveller: JourneyContext) => Promise<boolean>
}

/**
 * Runs a step; returns whether it succeeded. Expected errors, which the shop shows as messages, count as failed; any
 * other error is thrown.
 */
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
