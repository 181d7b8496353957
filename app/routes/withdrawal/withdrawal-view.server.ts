import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { ownServicesPath, pathOf } from "~/domain/orders/screen-paths"
import type { Withdrawal, WithdrawalSearch } from "~/flows/services/withdraw-order.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { dateTimeText } from "~/ui/layout/format"
import type { WithdrawalView } from "~/ui/withdrawal/withdrawal-screen"
import { screenHref } from "../screen-href.server"

/** What the visitor has typed, or what the page fills in. */
type Typed = { readonly order: string; readonly email: string }

type Unsuccessful = Exclude<WithdrawalSearch, { kind: "open" | "withdrawn" }>

/** The first step: asks for the order, after a search that found none with the reason. */
export function askView(context: RouteContext, typed: Typed, search: Unsuccessful | null): WithdrawalView {
  const t = screenTexts(context.get(localeContext).code)
  return {
    step: "ask",
    heading: t("withdrawal.ask.heading"),
    lead: t("withdrawal.ask.lead"),
    problem: search && problemOf(context, search),
    typed,
    texts: { order: t("withdrawal.order"), email: t("withdrawal.email"), next: t("withdrawal.next") },
    leave: { text: t("withdrawal.ask.leave"), path: screenHref(context, pathOf.viewer.checkout) },
  }
}

function problemOf(context: RouteContext, search: Unsuccessful): string {
  const t = screenTexts(context.get(localeContext).code)
  switch (search.kind) {
    case "over":
      return t("withdrawal.over", { date: momentText(context, search.end) })
    case "too-many":
      return t("withdrawal.tooMany")
    default:
      return t("withdrawal.unknown")
  }
}

/** The second step, or the acknowledgement of a withdrawal. */
export function foundView(
  context: RouteContext,
  found: Exclude<Withdrawal, { kind: "over" }>,
): WithdrawalView {
  const t = screenTexts(context.get(localeContext).code)
  const order = found.order.id
  const isOpen = found.kind === "open"
  const step = isOpen ? "confirm" : "done"
  const date = momentText(context, isOpen ? found.end : found.at)
  return {
    step,
    heading: t(`withdrawal.${step}.heading`, { order }),
    lead: t(`withdrawal.${step}.lead`, { order, date }),
    order,
    declaration: t("withdrawal.declaration", { order }),
    confirm: t("withdrawal.submit"),
    leave: { text: t(`withdrawal.${step}.leave`), path: screenHref(context, ownServicesPath) },
  }
}

function momentText(context: RouteContext, at: number): string {
  return dateTimeText(at, context.get(localeContext), context.get(servicesContext).shop.timeZone)
}
