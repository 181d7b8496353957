import type { Choices } from "~/domain/choices"
import type { FieldErrors } from "../form/form-errors"

type Offer = { readonly choices: Choices; readonly errors: FieldErrors }

/** What a refused form leaves on the page. */
type RefusedForm = {
  readonly errors: FieldErrors
  readonly typed: { readonly email: string; readonly promoCode: string }
  readonly choices: Choices
}

/** An offer with the values to show: the valid ones of a refused form, or else the visitor's earlier ones. */
export function offerShown<O extends Offer, R extends RefusedForm>(offer: O, refused: R | undefined) {
  const { choices } = offer
  const sent = refused?.choices
  return {
    ...offer,
    typed: { email: choices.email ?? "", promoCode: "" },
    ...refused,
    choices: {
      ...choices,
      ...sent,
      plan: sent?.plan ?? choices.plan,
      gateway: sent?.gateway ?? choices.gateway,
    },
  }
}
