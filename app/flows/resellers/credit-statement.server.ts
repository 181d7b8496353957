import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customer"
import type { ResellerCreditMovement } from "~/domain/reseller-credits"
import type { Service } from "~/domain/service"

/** Ledger entries of one statement, the latest: years of the largest resellers. */
const ENTRIES = 10_000

export type StatementEntry = ResellerCreditMovement & {
  /** The line that the entry paid for or gave back; null for other entries. */
  readonly line: Pick<Service, "notes" | "username"> | null
}

/**
 * All ledger entries of a reseller's credits in their access scope, newest first, with the customers' lines. Null for a
 * customer without a reseller service.
 */
export async function creditStatement(
  { billing }: Pick<Services, "billing">,
  customer: AuthenticatedCustomer,
): Promise<readonly StatementEntry[] | null> {
  const services = await billing.servicesOf(customer)
  if (!services.some(({ kind }) => kind === "reseller")) return null
  const { movements } = await billing.resellerCredits(customer, ENTRIES)
  const lines = new Map(services.filter(({ kind }) => kind === "plan").map((line) => [line.orderId, line]))
  return movements.map((movement) => ({
    ...movement,
    line: (movement.reference !== null && lines.get(movement.reference)) || null,
  }))
}
