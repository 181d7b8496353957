import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { awaitsConsent, creditEarnedBy, type Order } from "~/domain/orders/order"
import { ORDER_ELSEWHERE, orderPath, ownServicesPath, pathOf, trialPath } from "~/domain/orders/screen-paths"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { isEndedSession } from "~/middleware/customers/ended-session.server"
import type { Notice } from "~/ui/checkout/checkout-screen"
import { durationText } from "~/ui/layout/format"
import { screenHref } from "../screen-href.server"
import { trialsShown } from "../trial/trial-view.server"

/** Leads to the free trial; none without one, nor for who has a trial or a plan in this browser. */
export async function trialNotices(context: RouteContext): Promise<readonly Notice[]> {
  if (context.get(sessionContext).serviceIds.length > 0) return []
  const [first] = await trialsShown(context)
  if (!first) return []
  const locale = context.get(localeContext)
  const t = screenTexts(locale.code)
  const label = t("trial.link", { duration: durationText(first.trialHours, locale) })
  return [{ text: t("trial.question"), label, href: hrefOf(context, trialPath) }]
}

/** What the checkout says of an order: where one is found that this browser does not know (`query`), and where its own is. */
export async function orderNotices(
  context: RouteContext,
  query: URLSearchParams,
): Promise<readonly Notice[]> {
  const { orderId, customer } = context.get(sessionContext)
  if (orderId !== null) return undecidedOrderNotices(context, orderId)
  return customer === null && query.has(ORDER_ELSEWHERE) ? [orderElsewhereNotice(context)] : []
}

function orderElsewhereNotice(context: RouteContext): Notice {
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
async function undecidedOrderNotices(context: RouteContext, orderId: string): Promise<readonly Notice[]> {
  const order = await context.get(servicesContext).billing.order(orderId)
  const undecided = order && undecidedIn(order)
  if (!undecided || (await isEndedSession(context))) return []
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
export function ownServicesNotice(context: RouteContext): Notice {
  const t = screenTexts(context.get(localeContext).code)
  return {
    text: t("notice.haveService"),
    label: t("place.heading"),
    href: hrefOf(context, ownServicesPath),
  }
}

/** Of a plain link, which loads a new document. */
function hrefOf(context: RouteContext, path: string): string {
  return `${BASE}${screenHref(context, path)}`
}
