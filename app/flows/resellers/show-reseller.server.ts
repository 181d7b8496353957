import type { LoggedServices, Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { hasEnded, lineName } from "~/domain/services/line-list"
import type { NamedResellerCredits } from "~/domain/services/reseller-credits"
import { isStopped, type Service } from "~/domain/services/service"
import { orPauseOrdering, type PausingServices } from "~/flows/checkout/pause-on-outage.server"
import { accessibleServices, type SessionIdentity } from "~/flows/services/accessible-services.server"
import { partlyPaidElsewhere, type ServiceState, serviceState } from "~/flows/services/show-access.server"
import { linesOfMovements } from "./credit-statement.server"
import { splitPlans } from "./customer-lines.server"

export type ResellerAccess = ServiceState & {
  /** Accessible reseller services, and the plans that the reseller has bought for themselves. */
  readonly services: readonly Service[]
  /** Null for signed-out visitors: credits belong to the account. */
  readonly resellerCredits: NamedResellerCredits | null
  /** Accessible lines that were created for customers; newest first. */
  readonly lines: readonly Service[]
  /** Idempotency key of the form that creates a line. */
  readonly formKey: string
}

/** Ledger entries listed on the page. */
const MOVEMENTS = 10

/** Data of the reseller's page: the selected service, or the one just bought, or the newest that works. Null without one. */
export async function showReseller(
  services: Pick<Services, "billing" | "newId" | "now">,
  visitor: SessionIdentity & { serviceId: string | null },
): Promise<ResellerAccess | null> {
  const accessible = await accessibleServices(services, visitor)
  const all = accessible.filter(({ kind }) => kind === "reseller")
  // Credits are the account's: any service that works makes lines with them.
  const resellers = all.toSorted((one, other) => Number(isStopped(one)) - Number(isStopped(other)))
  const state = await serviceState(services, visitor, resellers)
  if (!state) return null
  const resellerCredits = await resellerCreditsOf(services, visitor.customer, { ...state, accessible })
  const { customerId } = state.service
  const { own, lines } = await splitPlans(services, customerId, resellerCredits ? accessible : [])
  const unpaid = state.unpaid ?? (await partlyPaidElsewhere(services, visitor, state.service))
  return {
    ...state,
    unpaid,
    services: [...resellers, ...own],
    resellerCredits,
    lines,
    formKey: services.newId(),
  }
}

export type OwnResellerAccount = {
  /** The visitor has a reseller's page: the plans link to it. */
  readonly hasPage: boolean
  /** The signed-in customer has an account that has not ended. */
  readonly isOpen: boolean
}

/** What a visitor has of a reseller's account. */
export async function ownResellerAccount(
  services: PausingServices & Pick<LoggedServices, "billing">,
  visitor: SessionIdentity,
): Promise<OwnResellerAccount> {
  const accessible = await orPauseOrdering(services, () => accessibleServices(services, visitor), [])
  const accounts = accessible.filter(({ kind }) => kind === "reseller")
  const isOwn = ({ customerId }: Service) => customerId === visitor.customer?.id
  return { hasPage: accounts.length > 0, isOpen: accounts.some((it) => isOwn(it) && !hasEnded(it)) }
}

async function resellerCreditsOf(
  { billing }: Pick<Services, "billing">,
  customer: AuthenticatedCustomer | null,
  { service, accessible }: { readonly service: Service; readonly accessible: readonly Service[] },
): Promise<NamedResellerCredits | null> {
  if (customer?.id !== service.customerId) return null
  const { balance, movements } = await billing.resellerCredits(customer, MOVEMENTS)
  const linesOf = linesOfMovements(accessible)
  return {
    balance,
    movements: movements.map((movement) => ({
      ...movement,
      names: namesText(linesOf(movement).map(lineName)),
    })),
  }
}

/** Names in one entry. */
const NAMES = 3

function namesText(names: readonly string[]): string | null {
  const others = names.length - NAMES
  const shown = names.slice(0, NAMES).join(", ")
  return names.length === 0 ? null : `${shown}${others > 0 ? ` +${others}` : ""}`
}
