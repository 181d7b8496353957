import type { ShouldRevalidateFunctionArgs } from "react-router"
import { type Choices, emptyChoices } from "~/domain/orders/choices"
import { coinChosen } from "~/domain/payments/coin"
import { isGatewayId } from "~/domain/payments/gateway-id"
import { type RefusedForm, typedInto } from "~/domain/refused-form"

type Offer = {
  readonly plans: readonly { readonly id: string }[]
  readonly choices: Choices
  readonly lastResult: RefusedForm | null
  /** A code that was typed before the language was changed. */
  readonly typedCode?: string
}

/** An offer with the values to show: the valid ones of a refused form, or else the visitor's earlier ones. */
export function offerShown<O extends Offer>(offer: O, refused: RefusedForm | undefined) {
  const { choices, plans, typedCode = "" } = offer
  if (!refused) return { ...offer, typed: { email: choices.email ?? "", promoCode: typedCode } }
  const typed = (name: string) => typedInto(name, refused) ?? ""
  const plan = plans.find(({ id }) => id === typed("plan"))?.id
  const gateway = isGatewayId(typed("gateway")) ? typed("gateway") : null
  return {
    ...offer,
    lastResult: refused,
    typed: { email: typed("email"), promoCode: typed("promoCode") },
    choices: {
      ...emptyChoices,
      kind: choices.kind,
      plan: plan ?? choices.plan,
      gateway: gateway ?? choices.gateway,
      coin: coinChosen({ get: typed }, gateway),
      extraConnection: typed("extraConnection") !== "",
      proxyProtection: typed("proxyProtection") !== "",
    },
  }
}

/** What was refused may be gone: the offer is loaded again, which React Router does not do after a 4xx. */
export const reloadsOffer = ({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || Boolean(actionResult?.lastResult)
