import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { Credits } from "~/domain/reseller-credits"
import type { Service } from "~/domain/service"
import { accessibleServices, type Visitor } from "~/flows/services/accessible-services.server"
import { type ServiceState, serviceState } from "~/flows/services/show-access.server"

export type ResellerAccess = ServiceState & {
  /** Every reseller service the visitor may look at. */
  readonly services: readonly Service[]
  /** Null for who has not signed in: credits belong to the account. */
  readonly credits: Credits | null
  /** Lines he may look at, those he has made for his customers among them; the newest first. */
  readonly lines: readonly Service[]
  /** One-time key of the form that makes a line: sent twice, it makes one. */
  readonly formKey: string
}

/** Movements that are listed on the page. */
const MOVEMENTS = 10

/** What a reseller has: the service he has named, or the one just bought, or his newest. Null: none. */
export async function showReseller(
  services: Services,
  visitor: Visitor & { serviceId: string | null },
): Promise<ResellerAccess | null> {
  const inReach = await accessibleServices(services, visitor)
  const resellers = inReach.filter(({ kind }) => kind === "reseller")
  const standing = await serviceState(services, visitor, resellers)
  if (!standing) return null
  const credits = await creditsOf(services, standing.service, visitor.customer)
  const lines = credits ? inReach.filter(({ kind }) => kind === "plan") : []
  return { ...standing, services: resellers, credits, lines, formKey: services.newId() }
}

async function creditsOf(
  { billing }: Services,
  { customerId }: Service,
  customer: AuthenticatedCustomer | null,
): Promise<Credits | null> {
  return customer?.id === customerId ? billing.credits(customer, MOVEMENTS) : null
}
