import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { monthsOf } from "~/domain/catalogue/billing-cycle"
import type { Currency } from "~/domain/money/money"
import { lineOnOffer } from "~/flows/resellers/line-on-offer.server"
import type { OwnResellerAccount } from "~/flows/resellers/show-reseller.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { monthsText } from "~/ui/layout/format"
import { furtherPlanText } from "../order/further-plan.server"

type Context = Pick<RouterContextProvider, "get">

/** What a credit is worth, for who has credits: a line of the first plan and its time, where the shop decides on terms. */
export async function creditWorth(context: Context, currency: Currency): Promise<string> {
  const t = screenTexts(context.get(localeContext).code)
  const span = context.get(servicesContext).shop.terms && (await lineSpan(context, currency))
  return span ? t("lines.leadSpan", { span }) : t("lines.lead")
}

/** The same for who may buy some, with what that does to the account of who has one. */
export async function creditOffer(
  context: Context,
  currency: Currency,
  { isOpen }: Pick<OwnResellerAccount, "isOpen">,
): Promise<string> {
  const t = screenTexts(context.get(localeContext).code)
  if (isOpen) return `${await creditWorth(context, currency)} ${furtherPlanText(context)}`
  const span = await lineSpan(context, currency)
  return span ? t("lines.offerSpan", { span }) : t("lines.offer")
}

/** How long a new line runs; null: without an end, or lines are not on offer. */
async function lineSpan(context: Context, currency: Currency): Promise<string | null> {
  const plan = await lineOnOffer(context.get(servicesContext), currency)
  if (!plan || plan.payType === "onetime") return null
  return monthsText(monthsOf(plan.cycle), context.get(localeContext))
}
