import { setTimeout as pause } from "node:timers/promises"
import { BillingError } from "~/billing/billing"
import type { Catalogue } from "~/billing/catalogue/catalogue"
import { SECOND } from "~/domain/calendar"
import { type Product, plansOffered } from "~/domain/catalogue/catalogue"
import { type Currency, currencies } from "~/domain/money/money"

/** A start does not wait longer for external billing, which may be restarting too. */
const MAX_WAIT = 5 * SECOND

/**
 * Refuses a start with a `CURRENCY` that no plan of external billing has a price in: every visitor would be told to try
 * again. Throws an `Error` that names it. What cannot be read in time, or not at all, refuses nothing.
 */
export async function checkCurrency(
  billing: Pick<Catalogue, "plans">,
  currency: Currency,
  maxWait = MAX_WAIT,
): Promise<void> {
  const plans = await Promise.race([readable(billing), pause(maxWait, [], { ref: false })])
  if (plans.length === 0 || plansOffered(plans, currency).length > 0) return
  const priced = currencies.filter((it) => plansOffered(plans, it).length > 0)
  const found = priced.length === 0 ? `in none of ${currencies.join(", ")}` : `only in ${priced.join(", ")}`
  throw new Error(
    `Invalid CURRENCY ${currency}: no plan of the billing system has a price in it (it has prices ${found})`,
  )
}

async function readable(billing: Pick<Catalogue, "plans">): Promise<readonly Product[]> {
  try {
    return await billing.plans()
  } catch (error) {
    if (error instanceof BillingError) return []
    throw error
  }
}
