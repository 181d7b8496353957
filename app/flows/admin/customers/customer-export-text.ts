import type { CustomerExport } from "~/billing/customers/customer-admin"
import type { Instant } from "~/domain/calendar"

/** The export of a customer's data as the file says it: with what an amount means, and when it was made. */
export function customerExportOf(rows: CustomerExport, at: Instant) {
  const [client] = rows.clients ?? []
  return {
    email: String(client?.email ?? ""),
    at: new Date(at).toISOString(),
    amounts: "in minor units (hundredths) of their currency",
    ...rows,
  }
}

/** A customer's data as the JSON file that an operator hands out. */
export function customerExportText(rows: CustomerExport, at: Instant): string {
  return `${JSON.stringify(customerExportOf(rows, at), null, 2)}\n`
}
