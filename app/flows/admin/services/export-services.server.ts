import type { ServiceListItem } from "~/billing/services/service-admin"
import { type Cell, csvLines } from "~/http/csv"
import { allServices, type FindServicesServices, type ServiceFilter } from "./find-services.server"

/** All services of a filter as a CSV file, line by line. Times are UTC. No cell has login details. */
export function exportServices(
  services: Pick<FindServicesServices, "services">,
  filter: ServiceFilter,
): AsyncGenerator<string> {
  return csvLines(columns, allServices(services, filter))
}

const columns: Readonly<Record<string, (service: ServiceListItem) => Cell>> = {
  number: ({ id }) => id,
  created: ({ createdAt }) => new Date(createdAt).toISOString(),
  status: ({ status }) => status,
  pid: ({ productId }) => productId,
  product: ({ name }) => name,
  email: ({ email }) => email,
  username: ({ username }) => username,
  paidUntil: ({ paidUntil }) => (paidUntil === null ? null : new Date(paidUntil).toISOString()),
}
