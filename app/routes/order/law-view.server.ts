import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { Country } from "~/domain/customers/country"
import { ACKNOWLEDGEMENT, CONSENT } from "~/domain/forms/declarations"
import type { Choices } from "~/domain/orders/choices"
import type { Declarations } from "~/domain/orders/sale-terms"
import { type LocalizedText, localizedTextFor } from "~/domain/shop/brand"
import { lawOf } from "~/domain/shop/country-law"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { LawShown } from "~/ui/checkout/order-summary"

/** What the law of the visitor's country adds to the checkout. */
export function lawView(context: RouteContext): LawShown {
  return lawIn(context, context.get(pricingContext).country)
}

/** The same for a page that has no prices of its own. The country is looked up in a shop with rules only. */
export async function lawOfVisitor(context: RouteContext, headers: Headers): Promise<LawShown> {
  const { shop, countryOf } = context.get(servicesContext)
  if (Object.keys(shop.legal.law.countries).length === 0) return { orderButton: null, declarations: null }
  const { address } = context.get(requestContext)
  return lawIn(context, await countryOf({ address, headers }))
}

/** What the law of a country adds to a form that orders, in the operator's words or the shop's drafts. */
export function lawIn(context: RouteContext, country: Country): LawShown {
  const { code } = context.get(localeContext)
  const { legal } = context.get(servicesContext).shop
  const { orderButton, startAtOnce } = lawOf(legal.law, country)
  const { words } = legal.law
  const t = screenTexts(code)
  const own = (text: LocalizedText, draft: string) => localizedTextFor(text, code) ?? draft
  return {
    orderButton: orderButton ? own(words.orderButton, t("law.orderButton")) : null,
    declarations: startAtOnce
      ? {
          consent: own(words.consent, t("law.consent")),
          acknowledgement: own(words.acknowledgement, t("law.acknowledgement")),
        }
      : null,
  }
}

/** Words of the button that orders a plan; null for the usual ones. */
export function orderWords(context: RouteContext, { kind }: Pick<Choices, "kind">): string | null {
  return kind === "plan" ? lawView(context).orderButton : null
}

const undeclared = {
  [CONSENT]: "checkout.declare.consent",
  [ACKNOWLEDGEMENT]: "checkout.declare.acknowledgement",
} as const

/** Refusals of a form without the declarations that the law asks for. */
export function undeclaredIn(form: FormData, { declarations }: LawShown): Record<string, string[]> {
  if (declarations === null) return {}
  const missing = ([CONSENT, ACKNOWLEDGEMENT] as const).filter((name) => form.get(name) !== "on")
  return Object.fromEntries(missing.map((name) => [name, [undeclared[name]]]))
}

/**
 * Why a draft has not been ordered: the law of the country where its buyer is now asks for declarations, and that of the country
 * where they were before did not. Empty without a draft of a plan.
 */
export function undeclaredInDraft(context: RouteContext): Record<string, string[]> {
  const { choices, draft } = context.get(sessionContext)
  if (choices.kind !== "plan" || draft === null || declarationsOf(context, draft) !== "missing") return {}
  return undeclaredIn(new FormData(), lawView(context))
}

/** The declarations of a draft as they were shown; null if none are asked for. "missing" if they have not been made. */
export function declarationsOf(
  context: RouteContext,
  draft: { readonly declaredAt?: number | undefined } | null,
): Declarations | null | "missing" {
  const { declarations } = lawView(context)
  if (declarations === null) return null
  const at = draft?.declaredAt
  if (at === undefined) return "missing"
  const { consent, acknowledgement } = declarations
  return { at, consent, acknowledgement }
}
