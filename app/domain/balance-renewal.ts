import type { Instant } from "./calendar"
import { type Money, money } from "./money"
import type { Service } from "./service"

/** A service that may be renewed from account credit, with the price of one cycle. */
type Renewing = {
  readonly service: Pick<Service, "id" | "balanceRenewal"> & { readonly paidUntil: Instant }
  readonly unit: Money
}

/**
 * What is missing of the account credit that is to renew a service at its end; zero if nothing is. `others`: services of the same customer
 * and currency. Those that end before it and are renewed from the credit too, as far as it covers them, have their part first.
 */
export function missingCredit(
  { service: { id, paidUntil }, unit }: Renewing,
  { credit, others }: { readonly credit: Money; readonly others: readonly Renewing[] },
): Money {
  const earlier = others
    .filter(({ service }) => service.balanceRenewal && service.id !== id && service.paidUntil < paidUntil)
    .toSorted((one, other) => one.service.paidUntil - other.service.paidUntil)
  const left = earlier.reduce(
    (rest, { unit: { minor } }) => (minor <= rest ? rest - minor : rest),
    credit.minor,
  )
  return money(Math.max(0, unit.minor - Math.max(0, left)), unit.currency)
}
