import { type Money, money } from "~/domain/money"
import type { Services } from "~/services.server"

export type ResellerPlan = {
  readonly id: string
  readonly name: string
  readonly price: Money
  readonly credits: number | null
}

/** Reseller plans at their monthly price (spec, section 9), those without one in the visitor's currency left out. */
export async function showResellerPlans({ catalogue, market }: Services): Promise<readonly ResellerPlan[]> {
  const products = await catalogue.resellerPlans()
  return products.flatMap(({ id, name, pricing, credits }) => {
    const monthly = pricing[market.currency]?.monthly
    return monthly === undefined
      ? []
      : [{ id, name, price: money(monthly, market.currency), credits: credits ?? null }]
  })
}
