import { useEffect, useRef, useState } from "react"
import type { Plan } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import { quote } from "~/domain/pricing"
import type { AppliedPromotion } from "~/domain/promotion"

type Offer<P extends Plan> = { plans: readonly P[]; promotion: AppliedPromotion | null; given: Choices }

/**
 * The current selection and its quote, by the same function as on the server. The selection is read from the form, so that
 * choices made before hydration, or restored by the browser on reload, count too.
 */
export function useChoices<P extends Plan>({ plans, promotion, given }: Offer<P>) {
  const [choices, setChoices] = useState<Pick<Choices, "plan" | "extraConnection" | "proxyProtection">>(given)
  const form = useRef<HTMLFormElement>(null)
  const requestQuote = () => form.current && setChoices(pressedIn(new FormData(form.current)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when script takes over
  useEffect(() => void requestQuote(), [])

  const plan = planNamed(choices.plan) ?? planNamed(given.plan)
  const holds = plan && promotion?.productIds.includes(plan.id)
  const codeError = promotion && !holds ? "promotion.not-for-this-product" : null
  const price = plan ? quote(plan, choices, holds ? promotion : null) : null
  return { form, requestQuote, plan, price, codeError }

  function planNamed(id: string | null): P | undefined {
    return plans.find((it) => it.id === id)
  }
}

function pressedIn(form: FormData) {
  const plan = form.get("plan")
  return {
    plan: typeof plan === "string" ? plan : null,
    extraConnection: form.has("extraConnection"),
    proxyProtection: form.has("proxyProtection"),
  }
}
