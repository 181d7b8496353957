import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import type { Service } from "~/domain/services/service"
import { priceRenewals, type ServiceRenewal } from "~/flows/checkout/price-renewal.server"
import { type Writing, writingOf } from "../page-writing.server"
import { invoiceLinks } from "./invoice-view.server"

/** The shortest renewal of each service that can be renewed, by service id, as a text. */
export async function renewableServices(
  context: RouteContext,
  all: readonly Service[],
): Promise<Readonly<Record<string, string>>> {
  const services = context.get(servicesContext)
  const writing = writingOf(context)
  const [first] = all
  return {
    ...(first && (await invoiceLinks(services, first.customerId, writing))),
    ...renewableIn(await priceRenewals(services, services.catalogue, { candidates: all }), writing),
  }
}

/** The same of renewals that are priced already. */
export function renewableIn(
  priced: readonly ServiceRenewal[],
  { t, day }: Writing,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    priced.flatMap(({ service: { id }, choices: [first] }) =>
      first ? [[id, t("renewal.until", { date: day(first.until) })]] : [],
    ),
  )
}
