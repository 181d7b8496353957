import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import type { Plan } from "~/domain/catalogue/catalogue"
import type { Choices } from "~/domain/orders/choices"
import { screenTexts } from "~/i18n/load-screen-texts.server"

type Offered = {
  readonly plans: readonly Pick<Plan, "payType">[]
  readonly choices: Pick<Choices, "kind">
}

/**
 * The line below the button of an order, in the visitor's language: that the plan does not renew by itself, and that all
 * can be changed until the payment. The first is said only where this shop decides on the terms, and each plan has one.
 */
export function orderAssurance(context: RouteContext, { plans, choices }: Offered): string {
  const { terms } = context.get(servicesContext).shop
  const t = screenTexts(context.get(localeContext).code)
  const hasTerms = choices.kind === "plan" && plans.every(({ payType }) => payType === "recurring")
  return hasTerms && terms !== null
    ? `${t("buying.notByItself")} ${t("buying.changeable")}`
    : t("buying.changeable")
}
