import type { ServiceListItem } from "~/billing/services/service-admin"
import { CSV_START, csvLine } from "~/http/csv"
import { allServices, type FindServicesServices, type ServiceFilter } from "./find-services.server"

const COMMA = { separator: "," } as const

/** All services of a filter as a CSV file, piece by piece: it is never whole in memory. Times are UTC. No cell has login details. */
export async function* exportServices(
  services: Pick<FindServicesServices, "services">,
  filter: ServiceFilter,
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(Object.keys(columns), COMMA)}`
  for await (const service of allServices(services, filter))
    yield csvLine(
      Object.values(columns).map((cellOf) => cellOf(service)),
      COMMA,
    )
}

const columns: { readonly [name: string]: (service: ServiceListItem) => string | null } = {
  number: ({ id }) => id,
  created: ({ createdAt }) => new Date(createdAt).toISOString(),
  status: ({ status }) => status,
  pid: ({ productId }) => productId,
  product: ({ name }) => name,
  email: ({ email }) => email,
  username: ({ username }) => username,
  paidUntil: ({ paidUntil }) => (paidUntil === null ? null : new Date(paidUntil).toISOString()),
}
