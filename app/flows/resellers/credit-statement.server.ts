import type { Services } from "~/context/services.server"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import type { ResellerCreditMovement } from "~/domain/services/reseller-credits"
import type { Service } from "~/domain/services/service"

/** Ledger entries of one statement, the latest: years of the largest resellers. */
const ENTRIES = 10_000

/** A line as its reseller knows it. */
type NamedLine = Pick<Service, "notes" | "username">

export type StatementEntry = ResellerCreditMovement & {
  /** The line that the entry paid for or gave back; null for other entries. */
  readonly line: NamedLine | null
}

/**
 * All ledger entries of a reseller's credits in their access scope, newest first, with the customers' lines; an extension of several
 * lines is an entry for each. Null for a customer without a reseller service.
 */
export async function creditStatement(
  { billing }: Pick<Services, "billing">,
  customer: AuthenticatedCustomer,
): Promise<readonly StatementEntry[] | null> {
  const services = await billing.servicesOf(customer)
  if (!services.some(({ kind }) => kind === "reseller")) return null
  const { movements } = await billing.resellerCredits(customer, ENTRIES)
  const linesOf = linesOfMovements(services)
  return movements.flatMap((movement): readonly StatementEntry[] => {
    const lines = linesOf(movement)
    if (lines.length === 0) return [{ ...movement, line: null }]
    const amount = movement.amount / lines.length
    return lines.map((line) => ({ ...movement, amount, line }))
  })
}

/** Finds the lines that a ledger entry paid for or gave back, among a reseller's services. */
export function linesOfMovements(
  services: readonly Service[],
): (movement: ResellerCreditMovement) => readonly NamedLine[] {
  const lines = services.filter(({ kind }) => kind === "plan")
  const byOrder = new Map(lines.map((line) => [line.orderId, line]))
  const byId = new Map(lines.map((line) => [line.id, line]))
  return ({ reference, extended }) => {
    const found = extended?.map((id) => byId.get(id)) ?? [
      reference === null ? undefined : byOrder.get(reference),
    ]
    return found.filter((line) => line !== undefined)
  }
}
