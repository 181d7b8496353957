import type { z } from "zod"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, signedIn } from "~/context/session.server"
import {
  ClaimsExisting,
  ExistingResellerForm,
  NewResellerForm,
  ResellerOrderForm,
} from "~/domain/forms/reseller-form"
import {
  type ResellerBuyer,
  type ResellerStart,
  startResellerReview,
} from "~/flows/resellers/start-reseller-review.server"
import { submitted } from "~/http/submitted-form.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { type Checkout, type FieldErrors, type Refusal, rejected } from "../checkout/checkout-action.server"

type ResellerOrder = z.output<typeof ResellerOrderForm> & {
  readonly buyer: ResellerBuyer
  /** The buyer says to have an account. */
  readonly existing: boolean
}

/** The checkout of reseller plans, with an account step. */
export const resellerCheckout: Checkout<ResellerOrder> = {
  kind: "reseller",
  journey: "reseller",
  hasExtras: false,
  hasAccount: true,

  orderIn(form, context) {
    const { customer } = context.get(sessionContext)
    const order = submitted(form, ResellerOrderForm)
    const existing = ClaimsExisting.parse(form.get("existing"))
    const buyer: ResellerBuyer | { errors: FieldErrors } = customer
      ? { kind: "signed-in", email: customer.email }
      : accountIn(form, existing)
    const errors = "errors" in buyer ? buyer.errors : {}
    if (order.status !== "success") return { errors: { ...order.error, ...errors } }
    return "errors" in buyer ? buyer : { ...order.value, buyer, existing }
  },

  typedEmail: ({ buyer }) => (buyer.kind === "new" ? buyer.email : null),

  async start({ order, context, agreed, ...request }) {
    const services = context.get(servicesContext)
    const { key, plan, gateway, buyer, existing, credits } = order
    const start = await startResellerReview(services, {
      ...request,
      agreed: { ...agreed, credits },
      key,
      plan,
      gateway,
      buyer,
      locale: context.get(localeContext).code,
      who: rateLimitSubject(context),
    })
    if (start.kind !== "ready") return turnedDown(start, existing)
    const proof = { how: "password", at: services.now() } as const
    if (start.customer)
      context.set(sessionContext, signedIn(context.get(sessionContext), start.customer, proof))
    return start
  },
}

/** The account fields that are visible for the chosen answer. */
function accountIn(form: FormData, existing: boolean): ResellerBuyer | { errors: FieldErrors } {
  if (existing) {
    const parsed = submitted(form, ExistingResellerForm)
    if (parsed.status === "success") return { kind: "existing", ...parsed.value }
    return { errors: parsed.error ?? {} }
  }
  const parsed = submitted(form, NewResellerForm)
  if (parsed.status !== "success") return { errors: parsed.error ?? {} }
  return { kind: "new", email: parsed.value.email, password: parsed.value.newPassword }
}

function turnedDown(start: Exclude<ResellerStart, { kind: "ready" }>, existing: boolean): Refusal {
  switch (start.kind) {
    case "wrong":
      // The text depends on the answer that was submitted, never on whether the e-mail is registered.
      return { errors: { "": [existing ? "resellers.wrongPassword" : "resellers.wrong"] }, status: 401 }
    case "too-many":
      return { errors: {}, status: 429, retryAfterSeconds: start.retryAfterSeconds, showsWait: true }
    case "overloaded":
      return {
        errors: { "": ["signIn.busy"] },
        status: 503,
        retryAfterSeconds: start.retryAfterSeconds,
      }
    case "rejected":
      return rejected(start)
  }
}
