import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { countriesToConfirm, countryName } from "~/domain/customers/country"
import { businessPath, orderPath, pathOf } from "~/domain/orders/screen-paths"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { formOf } from "~/http/form.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { noStore } from "~/middleware/cache-control.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import type { PageHandle } from "~/ssr/document"
import { CountryScreen } from "~/ui/business/country-screen"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/country"

export const middleware: Route.MiddlewareFunction[] = [noStore, pricing]
export const handle = {
  title: "scriptless.country",
  public: false,
  isScriptless: true,
} satisfies PageHandle

/** Asks a buyer once which country is right; redirects to the review where there is nothing to ask. */
export function loader({ context }: Route.LoaderArgs) {
  const { buyer } = context.get(pricingContext)
  const asked = buyer ? countriesToConfirm(buyer) : null
  if (asked === null) throw redirect(screenHref(context, pathOf.viewer.creatingOrder))
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const [named, located] = asked.map((it) => countryName(it, locale))
  const { choices } = context.get(sessionContext)
  return {
    view: {
      heading: t("country.heading"),
      lead: t("country.lead", { named: named ?? "", located: located ?? "" }),
      countries: asked.map((code) => ({ code, name: countryName(code, locale) })),
      back: {
        text: t("business.back"),
        href: `${BASE}${screenHref(context, orderPath("checkout", choices))}`,
      },
    },
  }
}

/** Keeps the answer as evidence. Another country has other prices: the review says so. */
export async function action({ request, context }: Route.ActionArgs) {
  const { buyer } = context.get(pricingContext)
  const asked = buyer ? countriesToConfirm(buyer) : null
  const answer = (await formOf(request)).get("country")
  const country = asked?.find((it) => it === answer) ?? asked?.[0]
  if (country !== undefined) updateSession(context, { country, confirmedCountry: country })
  const { business } = buyer ?? {}
  const contradicts = business && country && countryOfTaxNumber(business.taxNumber) !== country
  throw redirect(screenHref(context, contradicts ? businessPath : pathOf.viewer.creatingOrder), 303)
}

export default function CountryPage({ loaderData }: Route.ComponentProps) {
  return <CountryScreen view={loaderData.view} />
}
