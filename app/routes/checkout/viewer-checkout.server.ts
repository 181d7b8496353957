import type { z } from "zod"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { CheckoutForm } from "~/domain/forms/checkout-form"
import { type Choices, isSameSelection } from "~/domain/orders/choices"
import { startReview } from "~/flows/checkout/start-review.server"
import { submitted } from "~/http/submitted-form.server"
import { lawView, undeclaredIn } from "../order/law-view.server"
import { type Checkout, rejected } from "./checkout-action.server"

/** The checkout of plans, with extras. */
export const viewerCheckout: Checkout<z.output<typeof CheckoutForm>> = {
  kind: "plan",
  journey: "viewer",
  hasExtras: true,
  hasAccount: false,

  orderIn(form, context) {
    const submission = submitted(form, CheckoutForm)
    const undeclared = undeclaredIn(form, lawView(context))
    if (submission.status !== "success") return { errors: { ...submission.error, ...undeclared } }
    return Object.keys(undeclared).length > 0 ? { errors: undeclared } : submission.value
  },

  typedEmail: ({ email }) => email,

  async start({ order, context, promoCode, coin, agreed, pricing: { currency, buyer } }) {
    const services = context.get(servicesContext)
    const { shown, ...choices } = order
    const start = await startReview(
      services,
      { ...choices, kind: "plan", promoCode, coin },
      { ...agreed, currency, buyer },
    )
    if (start.kind === "rejected") return rejected(start)
    return {
      ...start,
      key: unusedKey(context.get(sessionContext), start.choices) ?? services.newId(),
      declaredAt: lawView(context).declarations ? services.now() : undefined,
    }
  },
}

/**
 * The session's idempotency key, for the same selection again. A key that has placed an order belongs to it, and one of
 * another selection to the tab that shows it.
 */
function unusedKey({ orderId, choices, draft }: CheckoutSession, chosen: Choices): string | undefined {
  return orderId === null && isSameSelection(chosen, choices) ? draft?.key : undefined
}
