import type { RouteContext } from "~/context/route-context"
import { sessionContext } from "~/context/session.server"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import { DraftForm, TypedCode } from "~/domain/forms/checkout-form"
import { ClaimsExisting } from "~/domain/forms/reseller-form"
import { type Choices, choicesOn, codeOn, emptyChoices } from "~/domain/orders/choices"
import type { Journey } from "~/domain/orders/screen-paths"
import { coinChosen } from "~/domain/payments/coin"

/** What distinguishes the pages of viewers and resellers. */
export type CheckoutPage = {
  readonly kind: ProductKind
  readonly journey: Journey
  readonly hasExtras: boolean
  /** The form has an account step. It sends no e-mail of a signed-in customer, so the session keeps what is not sent. */
  readonly hasAccount: boolean
}

/** The selection that a form leaves behind, with the promo code that is applied. */
export function selectionWithCode(page: CheckoutPage, form: FormData, context: RouteContext): Choices {
  const promoCode = codeOn(page.kind, context.get(sessionContext).choices)
  return { ...choicesIn(page)(form, context), promoCode }
}

/** Reads the selection that a form leaves behind: its valid choices, without promo code. */
export function choicesIn(page: CheckoutPage): (form: FormData, context: RouteContext) => Choices {
  return (form, context) => {
    const before = page.hasAccount ? choicesOn(page.kind, context.get(sessionContext).choices) : emptyChoices
    return selection(page, form, before)
  }
}

/** The valid choices of a form; `before` has those that it does not send. */
function selection({ kind, hasExtras }: CheckoutPage, form: FormData, before: Choices): Choices {
  const { plan, email, gateway } = DraftForm.parse({
    plan: form.get("plan") ?? undefined,
    email: form.get("email") ?? undefined,
    gateway: form.get("gateway") ?? undefined,
  })
  return {
    kind,
    plan: plan ?? before.plan,
    email: email || before.email,
    gateway: gateway ?? before.gateway,
    coin: coinChosen(form, gateway),
    extraConnection: hasExtras && form.has("extraConnection"),
    proxyProtection: hasExtras && form.has("proxyProtection"),
    promoCode: null,
  }
}

/** Whether the form says that its buyer has an account already; only pages with an account step ask. */
export function claimsExisting({ hasAccount }: CheckoutPage, form: FormData): boolean {
  return hasAccount && ClaimsExisting.parse(form.get("existing"))
}

/** A code in the field that is not sent to be applied. */
export function typedCodeIn(form: FormData): string | undefined {
  return TypedCode.parse(form.get("promoCode")) || undefined
}
