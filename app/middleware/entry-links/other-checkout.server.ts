import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { type Journey, pathOf } from "~/domain/orders/screen-paths"
import { sellsPlan } from "~/flows/checkout/sells-plan.server"
import { redirectTo } from "../redirect-to.server"
import { linkedPath } from "./entry-choices.server"
import { entryLinkOf } from "./entry-link.server"

const sold = { viewer: "plan", reseller: "reseller" } as const

/** A link with a plan that the other checkout sells leads there, with its query. Before the guards that read the rest of the link. */
export const otherCheckout: MiddlewareFunction<Response> = async (visit) => {
  const { url, context } = visit
  const pid = entryLinkOf(visit)?.pid
  const journey = checkoutAt(linkedPath(visit))
  if (pid === undefined || journey === null) return
  const services = context.get(servicesContext)
  const other = journey === "viewer" ? "reseller" : "viewer"
  if (await sellsPlan(services, sold[journey], pid)) return
  if (!(await sellsPlan(services, sold[other], pid))) return
  throw redirectTo(context.get(localeContext), pathOf[other].checkout, url.searchParams.toString())
}

function checkoutAt(path: string): Journey | null {
  const journeys = ["viewer", "reseller"] as const
  return journeys.find((it) => pathOf[it].checkout === path) ?? null
}
