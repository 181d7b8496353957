import { BillingError } from "~/billing/billing"
import { bestOffer, type Plan, plansOffered } from "~/domain/catalogue"
import type { Choices } from "~/domain/choices"
import type { CodeInForce } from "~/domain/promotion"
import type { Services } from "~/services.server"
import { type OfferedGateway, offeredGateways } from "./offered-gateways.server"
import { judgeCode } from "./price-choice.server"

export type Offer = {
  readonly plans: readonly Plan[]
  readonly gateways: readonly OfferedGateway[]
  /** The visitor's choices, with what he has not chosen yet filled in. */
  readonly choices: Choices
  /** The code in force for the chosen plan. */
  readonly promotion: CodeInForce | null
  /** Why a remembered choice no longer holds; translation keys by field. */
  readonly problems: { readonly plan?: readonly string[]; readonly promoCode?: readonly string[] }
}

/** What the checkout shows; null when nothing is for sale (the spec's notFound state). */
export async function showOffer(services: Services, remembered: Choices): Promise<Offer | null> {
  const plans = await plansForSale(services)
  const preset = plans.find(({ id }) => id === services.shop.defaultPlan) ?? bestOffer(plans)
  if (!preset) return null

  const gateways = offeredGateways(services)
  const plan = plans.find(({ id }) => id === remembered.plan) ?? preset
  const gateway = gateways.find(({ id }) => id === remembered.gateway)?.id ?? gateways[0]?.id ?? null
  const choices = { ...remembered, plan: plan.id, gateway }
  const gone = remembered.plan !== null && remembered.plan !== plan.id
  const { promotion, reason } = await codeInForce(services, choices.promoCode, plan.id)
  const problems = { ...(gone && { plan: ["checkout.plan.gone"] }), ...(reason && { promoCode: [reason] }) }
  return { plans, gateways, choices, promotion, problems }
}

/** A price list that cannot be read is an empty one: the page says so in words, with a way to try again. */
async function plansForSale({ catalogue, market, log }: Services): Promise<readonly Plan[]> {
  try {
    return plansOffered(await catalogue.plans(), market.currency)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    log.error({ err: error }, "no price list")
    return []
  }
}

async function codeInForce(services: Services, code: string | null, planId: string) {
  if (!code) return { promotion: null, reason: null }
  const verdict = await judgeCode(services, code, planId)
  if (!verdict.ok) return { promotion: null, reason: `promotion.${verdict.reason}` }
  const { code: written, productIds, discount } = verdict.promotion
  return { promotion: { code: written, productIds, discount }, reason: null }
}
