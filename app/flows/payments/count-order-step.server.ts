import type { Services } from "~/context/services.server"
import type { Order } from "~/domain/order"
import type { PurchaseStep } from "~/domain/purchase-step"

type OrderStep = Extract<PurchaseStep, "left" | "returned" | "paid">

/** Counts a step of an order for a plan. Renewals, extra connections and reseller plans are no first purchases. */
export function countOrderStep(
  { stepCounter }: Pick<Services, "stepCounter">,
  step: OrderStep,
  { kind, lines, gateway, locale }: Pick<Order, "kind" | "lines" | "gateway" | "locale">,
): void {
  if (kind !== "plan") return
  const plan = lines.find((line) => line.kind === "plan")?.productId ?? null
  stepCounter.count(step, { plan, gateway, locale })
}
