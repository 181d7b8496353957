import { z } from "zod"
import { planChangePolicies } from "~/domain/services/plan-change"

const Days = (max: number) => z.coerce.number().int().min(0).max(max)

/** "7,1": days before the end, longest first. */
const Reminders = z.string().transform((list, context) => {
  const days = list
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean)
  if (days.every((it) => /^\d{1,3}$/.test(it) && Number(it) > 0))
    return [...new Set(days.map(Number))].sort((a, b) => b - a)
  context.addIssue({ code: "custom", message: "must be days before the end, like 7,1" })
  return z.NEVER
})

/** "10,25.50": amounts, in minor units and lowest first; "off": none. */
const Amounts = z.string().transform((list, context) => {
  if (list.trim() === "off") return []
  const amounts = list
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean)
  if (amounts.every((it) => /^\d{1,6}(\.\d{2})?$/.test(it) && Number(it) > 0))
    return [...new Set(amounts.map((it) => Math.round(Number(it) * 100)))].sort((a, b) => a - b)
  context.addIssue({ code: "custom", message: "must be amounts, like 10,25,50, or off" })
  return z.NEVER
})

/** Terms of services: reminders, grace, suspension, termination. */
export const termFields = {
  RENEWAL_REMINDERS: Reminders.default([7, 1]).meta({
    description:
      "Days before the end of a term on which its customer is reminded, separated by commas. One that is longer than half the term is left out",
    default: "`7,1`",
  }),
  GRACE_DAYS: Days(365).default(3).meta({
    description:
      "Days that a service works after its end before it is suspended. A product can have its own (`grace_days` in the catalogue file)",
  }),
  TERMINATE_AFTER_DAYS: Days(3_650).default(14).meta({
    description: "Days from the suspension of an unpaid service to its termination",
  }),
  RENEW_AHEAD: z.coerce.number().int().min(1).max(120).default(24).meta({
    description: "Months ahead for which a service can be paid",
  }),
  HOLD_HOURS: z.coerce.number().int().min(1).max(720).default(72).meta({
    description: "Hours for which a payment in flight delays the suspension and the termination of a service",
  }),
  CREDIT_TOP_UPS: Amounts.default([10_00, 25_00, 50_00]).meta({
    description:
      "Amounts of account credit that a signed-in customer can buy on the service page, separated by commas, in the currency of the service; `off`: none",
    default: "`10,25,50`",
  }),
  CREDIT_MAX: z.coerce.number().int().min(0).max(100_000).default(500).meta({
    description:
      "Most account credit of a customer after a top-up, in the currency of the service; larger amounts are not offered",
  }),
  PLAN_CHANGE: z.enum(planChangePolicies).default("difference").meta({
    description:
      "What becomes of the paid time when a customer changes to a dearer plan: `difference`: it keeps its end, and the difference is paid. `convert`: the rest becomes as much time of the new plan as it is worth",
  }),
  LINE_CANCEL_HOURS: z.coerce.number().int().min(0).max(720).default(24).meta({
    description:
      "Hours in which a reseller can cancel an unused line and gets its credit back; `0`: never. A line that was extended or tied to a device counts as used",
  }),
  TERM_AMNESTY_DAYS: Days(3_650).default(30).meta({
    description:
      "Days after the upgrade to terms in which no service from before is suspended, whatever its end",
  }),
}
