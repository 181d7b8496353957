import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { awaitsConsent, creditEarnedBy, type Order } from "~/domain/order"
import { orderPath, ownServicesPath, pathOf, trialPath } from "~/domain/screen-paths"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { Notice } from "~/ui/checkout/checkout-screen"
import { durationText } from "~/ui/layout/format"
import { screenHref } from "../screen-href.server"
import { trialsShown } from "../trial/trial-view.server"

type Context = Readonly<RouterContextProvider>

/** Leads to the free trial; none without one, nor for who has a trial or a plan in this browser. */
export async function trialNotices(context: Context): Promise<readonly Notice[]> {
  if (context.get(sessionContext).serviceIds.length > 0) return []
  const [first] = await trialsShown(context)
  if (!first) return []
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const label = t("trial.link", { duration: durationText(first.trialHours, locale) })
  return [{ text: t("trial.question"), label, href: hrefOf(context, trialPath) }]
}

/** Says how an order is found that this browser does not know, and leads to the sign-in. */
export function orderElsewhereNotice(context: Context): Notice {
  const t = screenTexts(context.get(localeContext).code)
  const { mailsOrders } = context.get(servicesContext).shop
  return {
    text: t(mailsOrders ? "notice.elsewhereByMail" : "notice.elsewhere"),
    label: t("emailLink.signIn"),
    href: hrefOf(context, `${pathOf.viewer.checkout}?signin`),
  }
}

/**
 * Leads back to this browser's order while a person has to decide about it: it is on hold, or has expired with a part of its total
 * paid. Its buyer may order anew, and should know.
 */
export async function undecidedOrderNotices(context: Context): Promise<readonly Notice[]> {
  const { orderId } = context.get(sessionContext)
  const order = orderId === null ? null : await context.get(servicesContext).billing.order(orderId)
  const undecided = order && undecidedIn(order)
  if (!undecided) return []
  const t = screenTexts(context.get(localeContext).code)
  const screen = undecided === "expired" ? "waiting" : "creatingOrder"
  return [
    {
      text: t(`notice.undecided.${undecided}`),
      label: t("notice.undecided.see"),
      href: hrefOf(context, orderPath(screen, order)),
    },
  ]
}

function undecidedIn(order: Order): "held" | "released" | "expired" | null {
  if (awaitsConsent(order)) return "released"
  if (order.status === "fraud") return order.decision === null ? "held" : null
  return order.status === "expired" && creditEarnedBy(order).minor < order.received.minor ? "expired" : null
}

/** Leads to the services that the visitor has already. */
export function ownServicesNotice(context: Context): Notice {
  const t = screenTexts(context.get(localeContext).code)
  return {
    text: t("notice.haveService"),
    label: t("place.heading"),
    href: hrefOf(context, ownServicesPath),
  }
}

/** Of a plain link, which loads a new document. */
function hrefOf(context: Context, path: string): string {
  return `${BASE}${screenHref(context, path)}`
}
