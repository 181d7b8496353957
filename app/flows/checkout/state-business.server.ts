import type { LoggedServices } from "~/context/services.server"
import type { Business } from "~/domain/customers/business"
import type { Country } from "~/domain/customers/country"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { StatedBusiness } from "~/domain/forms/business-form"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"

/**
 * Why a number for tax is refused. `wrong`: its form or check digits are. `other-country`: it is of another country than the
 * buyer's. `unknown`: the service does not know it.
 */
export type NumberProblem =
  | { readonly kind: "wrong" | "unknown" }
  | { readonly kind: "other-country"; readonly numberCountry: Country }

export type Statement =
  | { readonly kind: "stated"; readonly business: Business }
  | NumberProblem
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

type Stating = {
  readonly typed: StatedBusiness
  /** Where the buyer is. */
  readonly country: Country
  readonly customer: AuthenticatedCustomer | null
  readonly who: RateLimitSubject
}

/**
 * Checks the business that a buyer states. Without an answer about its number it may buy all the same, with tax. A customer who is
 * signed in to the account keeps it for later orders.
 */
export async function stateBusiness(services: LoggedServices, stating: Stating): Promise<Statement> {
  const { vatNumbers, rateLimits, billing, log } = services
  const { typed, country, customer, who } = stating
  const taxNumber = await vatNumbers.parse(typed.taxNumber)
  if (taxNumber === null) return { kind: "wrong" }
  const numberCountry = countryOfTaxNumber(taxNumber)
  if (numberCountry !== country) return { kind: "other-country", numberCountry }
  const about = { limit: "tax-number", address: who.address }
  const allowed = await loggedLimit(log, about, rateLimits.emailCheck(who))
  if (!allowed.ok) return { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
  const check = await vatNumbers.check(taxNumber)
  if (check.result === "invalid") return { kind: "unknown" }
  const business = { company: typed.company, address: [typed.street, typed.city], taxNumber, check }
  if (customer?.reach === "account") await billing.setBusiness(customer.id, business)
  return { kind: "stated", business }
}

/** A buyer is no business any more; a customer who is signed in to the account for later orders too. */
export async function removeBusiness(
  { billing }: Pick<LoggedServices, "billing">,
  customer: AuthenticatedCustomer | null,
): Promise<void> {
  if (customer?.reach === "account") await billing.setBusiness(customer.id, null)
}
