import { TrialRefusedError } from "~/billing/billing"
import type { LoggedServices, Services } from "~/context/services.server"
import { freeQuote, type PricingContext } from "~/domain/catalogue/pricing"
import {
  type TrialClaims,
  type TrialPlan,
  type TrialRefusal,
  trialRefusal,
  trialsOffered,
} from "~/domain/catalogue/trial"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import { emptyChoices } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import { ownNetwork } from "~/http/ip-address.server"
import { mailboxMark, trialMark } from "~/security/trial-marks.server"
import { createOrder } from "./create-order.server"

export type TrialRequest = {
  readonly planId: string
  readonly email: string
  /** Idempotency key of the form. */
  readonly key: string
  /** The signed-in customer, if any. */
  readonly customer: AuthenticatedCustomer | null
  readonly pricing: PricingContext
  readonly locale: LocaleCode
  readonly address: string | null
  /** Browser id; null without one. */
  readonly browser: string | null
  readonly affiliateId: string | null
}

export type TrialStart =
  /** `order`: may be on hold. */
  | { readonly kind: "started"; readonly order: Order }
  | { readonly kind: "refused"; readonly reason: TrialRefusal | "gone" | "rejected" }

/** The plans that may be tried at the prices of `catalogue`; empty with external billing, which has trials of its own. */
export async function trialPlans(
  { trials, enabledGateways }: Pick<Services, "trials" | "enabledGateways">,
  catalogue: Pick<Services["billing"], "plans">,
  currency: Currency,
): Promise<readonly TrialPlan[]> {
  // A paid term has to be able to follow.
  return trials === null || enabledGateways.length === 0
    ? []
    : trialsOffered(await catalogue.plans(), currency)
}

/**
 * Starts a free trial: an order of a total of zero, written and fulfilled like one that a promo code has paid. One per person, by
 * mailbox, browser and network. Idempotent by `key`. Throws `BillingError`.
 */
export async function startTrial(services: LoggedServices, request: TrialRequest): Promise<TrialStart> {
  const { planId, pricing } = request
  const plans = await trialPlans(services, services.billing, pricing.currency)
  const plan = plans.find(({ id }) => id === planId)
  if (!plan) return { kind: "refused", reason: "gone" }
  try {
    return await orderTrial(services, request, plan)
  } catch (error) {
    if (!(error instanceof TrialRefusedError)) throw error
    services.log.info({ marks: error.taken }, "free trial refused")
    return { kind: "refused", reason: trialRefusal(error.taken) }
  }
}

async function orderTrial(
  services: LoggedServices,
  request: TrialRequest,
  plan: TrialPlan,
): Promise<TrialStart> {
  const { planId, email, ...writing } = request
  const [gateway] = services.enabledGateways
  if (!gateway) return { kind: "refused", reason: "gone" }
  const written = await createOrder(services, {
    ...writing,
    choices: { ...emptyChoices, plan: planId, email, gateway },
    orderId: null,
    plan,
    quote: freeQuote(plan),
    trial: { hours: plan.trialHours, price: plan.price, claims: claimsOf(services, request) },
  })
  if (written.kind === "written") return { kind: "started", order: written.order }
  if (written.kind === "customer-rejected") return { kind: "refused", reason: "rejected" }
  // The account pays in one currency only.
  const { currency } = written
  if (currency === request.pricing.currency) return { kind: "refused", reason: "gone" }
  return startTrial(services, { ...request, pricing: { ...request.pricing, currency } })
}

function claimsOf(
  { signer }: Pick<Services, "signer">,
  { email, browser, address }: TrialRequest,
): TrialClaims {
  const network = ownNetwork(address)
  return {
    email: mailboxMark(signer, email),
    device: browser === null ? undefined : trialMark(signer, "device", browser),
    network: network === null ? undefined : trialMark(signer, "network", network),
  }
}
