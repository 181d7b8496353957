import type { Plan } from "~/domain/catalogue/catalogue"
import { quote } from "~/domain/catalogue/pricing"
import type { AppliedPromotion } from "~/domain/catalogue/promotion"
import type { Choices } from "~/domain/orders/choices"
import { appliedCredit, type UsableCredit } from "~/domain/payments/usable-credit"
import { useFormChoices } from "../form/use-form-choices"

/** Account credit of a signed-in customer, for orders under the e-mail of the account. */
export type OwnCredit = UsableCredit & { readonly email: string }

type Offer<P extends Plan> = {
  plans: readonly P[]
  promotion: AppliedPromotion | null
  credit?: OwnCredit | undefined
  given: Selection
}
type Selection = Pick<Choices, "plan" | "extraConnection" | "proxyProtection" | "email">

/** The current selection and its quote, by the same function as on the server. */
export function useChoices<P extends Plan>({ plans, promotion, credit, given }: Offer<P>) {
  const { choices, choiceProps } = useFormChoices<Selection>(given, selectionIn)

  const plan = planNamed(choices.plan) ?? planNamed(given.plan)
  const holds = plan && promotion?.productIds.includes(plan.id)
  const codeError = promotion && !holds ? "promotion.not-for-this-product" : null
  const price = plan ? quote(plan, choices, holds ? promotion : null) : null
  const used = price && appliedCredit(creditFor(choices.email, credit), price.total)
  return { choiceProps, plan, price, codeError, credit: used }

  function planNamed(id: string | null): P | undefined {
    return plans.find((it) => it.id === id)
  }
}

/** An order under another e-mail is another customer's. Without a field it is the own one. */
function creditFor(email: string | null, credit: OwnCredit | undefined): OwnCredit | undefined {
  return (email ?? credit?.email) === credit?.email ? credit : undefined
}

function selectionIn(form: FormData): Selection {
  return {
    plan: form.get("plan") as string | null,
    email: form.get("email") as string | null,
    extraConnection: form.has("extraConnection"),
    proxyProtection: form.has("proxyProtection"),
  }
}
