import type { LoggedServices } from "~/context/services.server"
import type { PricingContext } from "~/domain/catalogue/pricing"
import type { Customer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { CompleteChoices } from "~/domain/orders/choices"
import { customerLocation } from "~/flows/checkout/customer-location.server"
import { orPauseOrdering } from "~/flows/checkout/pause-on-outage.server"
import { type AgreedTerms, notStarted, type Start, startReview } from "~/flows/checkout/start-review.server"
import { rateNewPassword } from "~/flows/customers/rate-new-password.server"
import { attemptSignIn } from "~/flows/customers/sign-in.server"
import type { RateLimitSubject } from "~/security/rate-limits.server"

/** The buyer: signed in, with an existing account, or with a new one. */
export type ResellerBuyer =
  | { readonly kind: "signed-in"; readonly email: string }
  | { readonly kind: "existing" | "new"; readonly email: string; readonly password: string }

export type ResellerStart =
  | (Extract<Start, { kind: "ready" }> & {
      /** The credits that the page showed, or those that the plan has now. */
      readonly credits?: number | undefined
      /** Idempotency key of the order: the same form with the same choices is the same order. */
      readonly key: string
      /** The customer authenticated by this form; null if signed in before. */
      readonly customer: Customer | null
    })
  | { readonly kind: "rejected"; readonly field: Rejected; readonly reason: string }
  /** Wrong password, or the e-mail has an account already: the response does not tell which. */
  | { readonly kind: "wrong" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }
  | { readonly kind: "overloaded"; readonly retryAfterSeconds: number }

type Rejected = Extract<Start, { kind: "rejected" }>["field"] | "newPassword"

type ResellerOrderRequest = {
  /** Idempotency key of the form. */
  key: string
  plan: string
  gateway: CompleteChoices["gateway"]
  coin: string | null
  promoCode: string | null
  buyer: ResellerBuyer
  /** What the page showed, in the currency of `pricing`. */
  agreed: Omit<AgreedTerms, "currency"> & {
    /** The credits by plan; missing on pages of earlier versions. */
    readonly credits?: ReadonlyMap<string, number> | undefined
  }
  pricing: PricingContext
  locale: LocaleCode
  who: RateLimitSubject
}

/**
 * Validates a reseller's selection for the review step. The account is authenticated or created last, when everything else
 * is valid (billing API: resellerAuth).
 */
export async function startResellerReview(
  services: LoggedServices,
  request: ResellerOrderRequest,
): Promise<ResellerStart> {
  const { plan, gateway, coin, promoCode, buyer, agreed, pricing } = request
  const choices = { kind: "reseller" as const, plan, gateway, coin, promoCode, email: buyer.email }
  const start = await startReview(
    services,
    { ...choices, extraConnection: false, proxyProtection: false },
    { ...agreed, currency: pricing.currency, buyer: pricing.buyer },
  )
  if (start.kind === "rejected") return start
  const credits = creditsAgreed(request, start.credits)
  const key = services.signer.sign(`reseller ${JSON.stringify([request.key, start.choices, start.total])}`)
  if (buyer.kind === "signed-in") return { ...start, key, credits, customer: null }
  const verdict = buyer.kind === "new" ? await rateNewPassword(services, buyer, request.who) : null
  if (verdict?.kind === "guessable") {
    return { kind: "rejected", field: "newPassword", reason: "password.guessable" }
  }
  if (verdict && verdict.kind !== "good") return verdict
  const proof = await orPauseOrdering(services, () => signUpOrSignIn(services, { ...request, buyer }), null)
  if (proof === null) return notStarted(services)
  return proof.kind === "proven" ? { ...start, key, credits, customer: proof.customer } : proof
}

/** The credits that the page showed for the plan, or if it did not say, the present ones. */
function creditsAgreed({ plan, agreed }: ResellerOrderRequest, present: number | undefined) {
  return agreed.credits?.get(plan) ?? present
}

type NewResellerReview = Pick<ResellerOrderRequest, "locale" | "pricing" | "who"> & {
  buyer: Exclude<ResellerBuyer, { kind: "signed-in" }>
}

function signUpOrSignIn(services: LoggedServices, { buyer, locale, pricing, who }: NewResellerReview) {
  const { address, visitor } = who
  const { email, password } = buyer
  const account = {
    email,
    password,
    existing: buyer.kind === "existing",
    locale,
    currency: pricing.currency,
    at: services.now(),
    ...customerLocation(services, { country: pricing.country, address }),
  }
  return attemptSignIn(services, { email, address, visitor }, () => services.billing.resellerAuth(account))
}
