import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import type { Order } from "~/domain/orders/order"
import type { Pay } from "~/flows/payments/get-order-progress.server"
import { loadI18n } from "~/i18n/load-i18n.server"
import type { WaitingView } from "~/ui/waiting/waiting-panel"
import type { WaitingTexts } from "~/ui/waiting/waiting-screen"

type State = {
  readonly order: Pick<Order, "status">
  readonly pay: Pay | null
  readonly view: WaitingView
  /** A payment has been seen that is not confirmed. */
  readonly isSeen: boolean
  readonly texts: Pick<WaitingTexts, "heading" | "looking" | "editHeading">
}

/** Title of the waiting page: its heading, so that a tab and a screen reader tell the state. Null: the route's own. */
export async function waitingTitle(
  context: RouteContext,
  { order, pay, view, isSeen, texts }: State,
): Promise<string | null> {
  const { t } = (await loadI18n(context.get(localeContext))).i18n
  if (order.status === "expired") return t("waiting.expired")
  if (view === "edit") return texts.editHeading
  if (view !== "pay" && view !== "paid") return t(`waiting.${view}.heading`)
  if (isSeen) return t("waiting.headingSeen")
  const isLooking = view === "paid" && pay !== null && (!pay.ended || pay.expired)
  return isLooking ? texts.looking.heading : texts.heading
}
