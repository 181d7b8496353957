import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { BASE } from "~/domain/base-path"
import type { Business } from "~/domain/customers/business"
import { type Country, countryName } from "~/domain/customers/country"
import { isCountryCode } from "~/domain/customers/country-codes"
import { type BusinessField, businessFields, businessLengths } from "~/domain/forms/business-form"
import { pathOf, RESELLERS } from "~/domain/orders/screen-paths"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import type { Statement } from "~/flows/checkout/state-business.server"
import { textIn } from "~/http/form.server"
import { countriesIn } from "~/i18n/country-names.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import type { BusinessView } from "~/ui/business/business-screen"
import { screenHref } from "../screen-href.server"

/** Texts by field; the whole form has the empty name. */
type Problems = Partial<Record<BusinessField | "", string>>

const autoComplete = {
  taxNumber: "off",
  company: "organization",
  street: "street-address",
  city: "address-level2",
} as const satisfies Record<BusinessField, string>

/** Path of the checkout that a URL of the page leads back to. */
export function checkoutBehind(url: URL): string {
  return pathOf[url.searchParams.has(RESELLERS) ? "reseller" : "viewer"].checkout
}

/** The page with the business as it is stored, and what is wrong with it by now. */
export function statedView(context: RouteContext, url: URL): BusinessView {
  const { country, buyer } = context.get(pricingContext)
  const business = buyer?.business
  const [street = "", city = ""] = business?.address ?? []
  const typed = { taxNumber: business?.taxNumber ?? "", company: business?.company ?? "", street, city }
  const problem = business && problemWith(context, business, country)
  return view(context, { url, country, typed, problems: problem ? { taxNumber: problem } : {} })
}

/** What is wrong with a stored number by now; null: nothing. */
function problemWith(context: RouteContext, { taxNumber, check }: Business, country: Country): string | null {
  const numberCountry = countryOfTaxNumber(taxNumber)
  if (numberCountry !== country) return otherCountry(context, { numberCountry, country })
  return check.result === "invalid" ? textsOf(context)("business.unknown") : null
}

type RefusedForm = {
  readonly url: URL
  readonly form: FormData
  /** Errors of the schema by field, or texts. */
  readonly problems: Problems | Readonly<Record<string, string[] | null>>
}

/** The page with everything that was typed. */
export function refusedView(context: RouteContext, { url, form, problems }: RefusedForm): BusinessView {
  const t = textsOf(context)
  const chosen = form.get("country")
  const entries = Object.entries(problems).map(([name, problem]) => {
    const text = typeof problem === "string" ? problem : t(problemOf(problem?.[0]))
    return [name, text] as const
  })
  return view(context, {
    url,
    country: isCountryCode(chosen) ? chosen : context.get(pricingContext).country,
    typed: {
      taxNumber: textIn(form, "taxNumber"),
      company: textIn(form, "company"),
      street: textIn(form, "street"),
      city: textIn(form, "city"),
    },
    problems: Object.fromEntries(entries),
  })
}

function problemOf(error: string | undefined) {
  return error === "tooLong" ? "business.tooLong" : "business.required"
}

/** Why a number is refused, at its field. */
export function problemsOf(
  context: RouteContext,
  form: FormData,
  statement: Exclude<Statement, { kind: "stated" }>,
): Problems {
  const t = textsOf(context)
  const chosen = form.get("country")
  const country = isCountryCode(chosen) ? chosen : context.get(pricingContext).country
  switch (statement.kind) {
    case "wrong":
      return { taxNumber: t("business.wrong") }
    case "unknown":
      return { taxNumber: t("business.unknown") }
    case "other-country":
      return {
        taxNumber: otherCountry(context, { numberCountry: statement.numberCountry, country }),
      }
    case "too-many":
      return { "": t("business.tooMany") }
  }
}

function otherCountry(context: RouteContext, found: { numberCountry: string; country: string }): string {
  const locale = context.get(localeContext)
  return textsOf(context)("business.otherCountry", {
    numberCountry: countryName(found.numberCountry, locale),
    country: countryName(found.country, locale),
  })
}

function textsOf(context: RouteContext): ScreenTexts {
  return screenTexts(context.get(localeContext).code)
}

type Shown = {
  readonly url: URL
  readonly country: string
  readonly typed: Readonly<Record<BusinessField, string>>
  readonly problems: Problems
}

function view(context: RouteContext, { url, country, typed, problems }: Shown): BusinessView {
  const t = textsOf(context)
  const isKnown = context.get(pricingContext).buyer?.business !== undefined
  const isRefused = Object.keys(problems).length > 0
  return {
    heading: t("business.ask"),
    lead: t("business.lead"),
    problem: problems[""] ?? (isRefused ? t("business.problems") : null),
    country: { label: t("tax.country"), chosen: country, countries: countriesIn(context.get(localeContext)) },
    fields: businessFields.map((name) => ({
      name,
      label: t(`business.${name}`),
      hint: name === "taxNumber" ? t("business.numberHint") : null,
      value: typed[name],
      autoComplete: autoComplete[name],
      maxLength: businessLengths[name],
      problem: problems[name] ?? null,
    })),
    save: t("business.save"),
    remove: isKnown ? t("business.remove") : null,
    back: { text: t("business.back"), href: `${BASE}${screenHref(context, checkoutBehind(url))}` },
  }
}
