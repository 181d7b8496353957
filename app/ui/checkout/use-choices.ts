import type { Plan } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import { quote } from "~/domain/pricing"
import type { AppliedPromotion } from "~/domain/promotion"
import { useFormChoices } from "../form/use-form-choices"

type Offer<P extends Plan> = { plans: readonly P[]; promotion: AppliedPromotion | null; given: Choices }
type Selection = Pick<Choices, "plan" | "extraConnection" | "proxyProtection">

/** The current selection and its quote, by the same function as on the server. */
export function useChoices<P extends Plan>({ plans, promotion, given }: Offer<P>) {
  const { choices, choiceProps } = useFormChoices<Selection>(given, selectionIn)

  const plan = planNamed(choices.plan) ?? planNamed(given.plan)
  const holds = plan && promotion?.productIds.includes(plan.id)
  const codeError = promotion && !holds ? "promotion.not-for-this-product" : null
  const price = plan ? quote(plan, choices, holds ? promotion : null) : null
  return { choiceProps, plan, price, codeError }

  function planNamed(id: string | null): P | undefined {
    return plans.find((it) => it.id === id)
  }
}

function selectionIn(form: FormData): Selection {
  const plan = form.get("plan")
  return {
    plan: typeof plan === "string" ? plan : null,
    extraConnection: form.has("extraConnection"),
    proxyProtection: form.has("proxyProtection"),
  }
}
