import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import type { LocaleCode } from "~/domain/locales"
import type { Choices } from "~/domain/orders/choices"
import type { DraftStep } from "~/domain/orders/purchase-step"

export type CountedDraft = {
  readonly choices: Pick<Choices, "plan" | "gateway">
  readonly locale: LocaleCode
  /** The steps that the draft has reached. */
  readonly reached: readonly (DraftStep | "submitted")[]
  /** Those that were counted before. */
  readonly counted: readonly string[]
}

/** Counts the steps of a draft that have not been counted. A plan that the shop does not sell has no sum of its own. */
export async function countDraftSteps(
  { stepCounter, catalogue }: Pick<Services, "stepCounter" | "catalogue">,
  { choices, locale, reached, counted }: CountedDraft,
): Promise<void> {
  const steps = reached.filter((step) => !counted.includes(step))
  if (steps.length === 0) return
  const plan = (await isSold(catalogue, choices.plan)) ? choices.plan : null
  for (const step of steps) stepCounter.count(step, { plan, gateway: choices.gateway, locale })
}

/** Anyone may send any name of a plan. Without the list none is known, and the purchase goes on. */
async function isSold(
  catalogue: Pick<Services["catalogue"], "plans">,
  plan: string | null,
): Promise<boolean> {
  if (plan === null) return false
  try {
    return (await catalogue.plans()).some(({ id }) => id === plan)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return false
  }
}
