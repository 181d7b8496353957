import { z } from "zod"
import { cycles } from "../catalogue/billing-cycle"
import { GatewayField, idField } from "./field-schemas"
import { REFUSED_PLAN_CHANGE } from "./renewal-fields"

const Id = idField(REFUSED_PLAN_CHANGE)

const Minor = z
  .string(REFUSED_PLAN_CHANGE)
  .regex(/^\d{1,12}$/)
  .transform(Number)

/** A plan with its billing cycle, and its price per cycle as it was shown, in minor units. */
const Target = {
  serviceid: Id,
  product: Id,
  cycle: z.enum(cycles, REFUSED_PLAN_CHANGE),
  price: Minor,
}

/** Fields to order a change of plan. Messages are translation keys. */
export const PlanChangeForm = z.object({
  ...Target,
  /** Idempotency key of the form. */
  key: Id,
  /** When the figures were shown, and what was to be paid then, in minor units. */
  at: z
    .string(REFUSED_PLAN_CHANGE)
    .regex(/^\d{1,15}$/)
    .transform(Number),
  due: Minor,
  gateway: GatewayField,
})

/** Fields to order a change of plan in external billing. `due`: its price in minor units as it was shown; may be negative. */
export const PlanUpgradeForm = z.object({
  serviceid: Id,
  product: Id,
  cycle: z.enum(cycles, REFUSED_PLAN_CHANGE),
  key: Id,
  due: z
    .string(REFUSED_PLAN_CHANGE)
    .regex(/^-?\d{1,12}$/)
    .transform(Number),
  gateway: GatewayField,
})

/** Fields to choose the plan that follows. */
export const NextPlanForm = z.object(Target)
