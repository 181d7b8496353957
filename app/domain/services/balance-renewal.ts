import type { Instant } from "../calendar"
import { type Money, money } from "../money/money"
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
  { service: own, unit }: Renewing,
  { credit, others }: { readonly credit: Money; readonly others: readonly Renewing[] },
): Money {
  const earlier = others
    .filter(({ service }) => service.balanceRenewal && inTurn(service, own) < 0)
    .toSorted((one, other) => inTurn(one.service, other.service))
  const left = earlier.reduce(
    (rest, { unit: { minor } }) => (minor <= rest ? rest - minor : rest),
    credit.minor,
  )
  return money(Math.max(0, unit.minor - Math.max(0, left)), unit.currency)
}

/** Below zero if `one` is renewed before `other`: those that end at the same moment are renewed by their ids. */
function inTurn(one: Renewing["service"], other: Renewing["service"]): number {
  return one.paidUntil - other.paidUntil || (one.id < other.id ? -1 : Number(one.id > other.id))
}
