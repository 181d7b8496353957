import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { dayIn } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import { isCountryCode } from "~/domain/customers/country-codes"
import { taxRegions } from "~/domain/tax/tax"

/** Takes the country and region that a form names, in a shop that taxes by them. Others need the review step again. */
export function chooseCountry(form: FormData, context: RouteContext): void {
  const country = form.get("country")
  const pricing = context.get(pricingContext)
  const { buyer } = pricing
  if (!buyer || !isCountryCode(country)) return
  const region = regionIn(form, country, context)
  const isSame = country === pricing.country && region === buyer.region
  const { draft } = context.get(sessionContext)
  updateSession(context, { country, region, draft: isSame ? draft : null })
  context.set(pricingContext, { ...pricing, country, buyer: { ...buyer, named: country, region } })
}

/** The region that a form names, if its country has taxes of its own there; a country that was changed has others. */
function regionIn(form: FormData, country: Country, context: RouteContext): string | undefined {
  const { shop, now } = context.get(servicesContext)
  const region = form.get("region")
  const regions = shop.tax ? taxRegions(shop.tax, country, dayIn(shop.timeZone, now())) : []
  return regions.find((it) => it === region)
}
