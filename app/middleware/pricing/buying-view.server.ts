import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { planOf } from "~/domain/catalogue/catalogue"
import { planIdIn, type QuoteLine } from "~/domain/catalogue/pricing"
import type { Currency, Money } from "~/domain/money/money"
import type { BuyingView } from "~/domain/orders/buying-view"
import type { KnownTax, OrderTax } from "~/domain/orders/order-tax"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { endOfTerm, newTerm } from "~/domain/services/term"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { dayText } from "~/ui/layout/format"
import { taxNote } from "./tax-note.server"

type Selection = KnownTax & {
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  readonly gateway: GatewayId | null
  /** It can be paid. */
  readonly isOpen: boolean
  /** Nothing is left to pay: a promo code or account credit pays all of it. */
  readonly isCovered?: boolean
  /** The visitor pays for somebody else, whose business is none of theirs. */
  readonly isForeign: boolean
  /** Those of a reseller plan, where they are known. */
  readonly credits?: number | undefined
}

/** What a selection leads to, for the review and the waiting page: until when it runs, whether it renews, tax, statement. */
export async function buyingView(
  context: RouteContext,
  { lines, total, tax, externalTax, gateway, isOpen, isCovered = false, isForeign, credits = 0 }: Selection,
): Promise<BuyingView> {
  const { shop } = context.get(servicesContext)
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const until = isOpen ? await endIfPaidNow(context, lines, total.currency) : null
  const statement = gateway && shop.methods[gateway]?.statement
  const notes = [
    ...creditNotes(credits, t),
    until !== null && t("buying.notByItself"),
    ...(isForeign ? [] : businessNotes(tax, t)),
    taxNote({ total, tax, externalTax }, { legal: shop.legal, locale }),
    statement && t("buying.statement", { name: statement }),
  ]
  return {
    until:
      until === null
        ? null
        : {
            label: t("buying.runs"),
            text: t(whenToday(isCovered), { date: dayText(until, locale, shop.timeZone) }),
          },
    notes: notes.filter((it) => typeof it === "string"),
    texts: {
      heading: t(isOpen ? "buying.heading" : "buying.ordered"),
      payNow: t("buying.payNow"),
      received: t("buying.received"),
      left: t("buying.left"),
      credit: t("payments.credit"),
    },
  }
}

function whenToday(isCovered: boolean) {
  return isCovered ? "buying.ifOrderedToday" : "buying.ifToday"
}

function creditNotes(count: number, t: ScreenTexts): readonly string[] {
  return count > 0 ? [t("buying.credits", { count })] : []
}

/** The business that buys, and that its number has not been confirmed yet. */
function businessNotes(tax: OrderTax | null | undefined, t: ScreenTexts): readonly string[] {
  const business = tax?.buyer.business
  if (!business) return []
  const buyer = t("business.buyer", { company: business.company, number: business.taxNumber })
  return business.check.result === "unanswered" ? [buyer, t("business.unanswered")] : [buyer]
}

/** End of a plan that is paid now; null for what has no end, or one that this shop does not decide on. */
async function endIfPaidNow(context: RouteContext, lines: readonly QuoteLine[], currency: Currency) {
  const { shop, catalogue, now } = context.get(servicesContext)
  const planId = planIdIn(lines)
  if (shop.terms === null || planId === null) return null
  const product = (await catalogue.plans()).find(({ id }) => id === planId)
  const plan = product && planOf(product, currency)
  if (plan?.payType !== "recurring") return null
  return endOfTerm(newTerm(now(), shop.terms.timeZone, 1), plan.cycle)
}
