import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { ownResellerAccount } from "~/flows/resellers/show-reseller.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"

type Context = Pick<RouterContextProvider, "get">

/** What a further plan does for a reseller who has an account: an external billing system makes another one of each order. */
export function furtherPlanText(context: Context): string {
  const t = screenTexts(context.get(localeContext).code)
  return t(context.get(servicesContext).shop.terms ? "lines.addsToAccount" : "lines.opensAccount")
}

/** The same for a visitor who has chosen a plan; empty for one without an account. */
export async function furtherPlanNotes(context: Context): Promise<readonly string[]> {
  const { isOpen } = await ownResellerAccount(context.get(servicesContext), context.get(sessionContext))
  return isOpen ? [furtherPlanText(context)] : []
}
