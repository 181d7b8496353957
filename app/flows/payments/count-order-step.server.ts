import type { Services } from "~/context/services.server"
import { planIdIn } from "~/domain/catalogue/pricing"
import type { Order } from "~/domain/orders/order"
import type { PurchaseStep } from "~/domain/orders/purchase-step"

type Counted = Pick<Order, "kind" | "lines" | "gateway" | "locale" | "isUncounted">
type OrderStep = Extract<PurchaseStep, "left" | "returned" | "paid">

/**
 * Counts a step of an order for a plan. Renewals, extra connections and reseller plans are no first purchases, and those of bots
 * and other storefronts have no earlier steps.
 */
export function countOrderStep(
  { stepCounter }: Pick<Services, "stepCounter">,
  step: OrderStep,
  { kind, lines, gateway, locale, isUncounted }: Counted,
): void {
  if (kind !== "plan" || isUncounted) return
  const plan = planIdIn(lines)
  stepCounter.count(step, { plan, gateway, locale })
}
