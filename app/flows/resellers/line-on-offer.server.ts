import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import { type Plan, plansOffered } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"

/** The plan that a new line is made of, as the catalogue is shown; null while there is none, or the catalogue cannot be read. */
export async function lineOnOffer(
  { catalogue }: Pick<LoggedServices, "catalogue">,
  currency: Currency,
): Promise<Plan | null> {
  try {
    return plansOffered(await catalogue.plans(), currency)[0] ?? null
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return null
  }
}
