import type { CustomerListItem } from "~/billing/customers/customer-admin"
import { CSV_START, csvLine } from "~/http/csv"
import { allCustomers, type FindCustomersServices } from "./find-customers.server"

const COMMA = { separator: "," } as const

/** All customers as a CSV file, the newest first, piece by piece: it is never whole in memory. Times are UTC. */
export async function* exportCustomers(
  services: Pick<FindCustomersServices, "customers">,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(Object.keys(columns), COMMA)}`
  for await (const customer of allCustomers(services))
    yield csvLine(
      Object.values(columns).map((cellOf) => cellOf(customer)),
      COMMA,
    )
}

const columns: { readonly [name: string]: (customer: CustomerListItem) => string | null } = {
  id: ({ id }) => id,
  created: ({ createdAt }) => new Date(createdAt).toISOString(),
  email: ({ email }) => email,
  emailState: emailState,
  country: ({ country }) => country,
  language: ({ locale }) => locale,
}

/** `of another`: the address is another customer's now, who has proven it. */
function emailState({ hasEmail, isProven }: CustomerListItem): string {
  if (!hasEmail) return "of another"
  return isProven ? "proven" : "unproven"
}
