import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { Order } from "~/domain/orders/order"
import { isForAnotherEmail, plansOnSale } from "~/flows/checkout/other-selection.server"
import { loadI18n } from "~/i18n/load-i18n.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { planName } from "~/ui/layout/plan-name"

const extras = ["extraConnection", "proxyProtection"] as const

/**
 * Names what the buyer has chosen since an open order: plan, extras, and the e-mail if it is another one. Null for a plan that is not
 * on sale.
 */
export async function newChoiceText(
  context: RouteContext,
  order: Pick<Order, "email" | "total">,
): Promise<string | null> {
  const { choices } = context.get(sessionContext)
  const plans = await plansOnSale(context.get(servicesContext), choices, order.total)
  const plan = plans.find(({ id }) => id === choices.plan)
  if (!plan) return null
  const locale = context.get(localeContext)
  const { t } = (await loadI18n(locale)).i18n
  const names = extras.filter((it) => choices[it] && plan[it]).map((it) => t(`checkout.extras.${it}`))
  const email = isForAnotherEmail(order, choices.email) ? [choices.email] : []
  const choice = [planName(plan.name, locale), ...names, ...email].join(", ")
  return screenTexts(locale.code)("unpaid.newChoice", { choice })
}
