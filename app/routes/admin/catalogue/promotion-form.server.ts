import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { TypedPromotion } from "~/domain/forms/typed-promotion"
import type { PromotionProblem } from "~/flows/admin/catalogue/manage-promotions.server"
import { textIn } from "~/http/form.server"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"

/** The promotion of a form; null if there is none any more. Throws 404 with external billing. */
export async function promotionIfAny(context: RouteContext, code: string) {
  const { promotions } = consoleRequest(context).services.console
  if (!promotions) throw new Response(null, { status: 404 })
  return { promotions, promotion: await promotions.promotionDetails(code) }
}

/** The promotion of a page. Throws 404 for an unknown one, and with external billing. */
export async function promotionOf(context: RouteContext, code: string) {
  const { promotions, promotion } = await promotionIfAny(context, code)
  if (!promotion) throw new Response(null, { status: 404 })
  return { promotions, promotion }
}

/** The fields of a promotion, as they were typed. */
export function promotionIn(form: FormData): TypedPromotion {
  return {
    code: textIn(form, "code"),
    products: form.getAll("products").join(","),
    kind: textIn(form, "kind"),
    value: textIn(form, "value"),
    currency: textIn(form, "currency"),
    from: textIn(form, "from"),
    to: textIn(form, "to"),
    maxUses: textIn(form, "maxUses"),
    usesPerPerson: textIn(form, "usesPerPerson"),
    renewals: textIn(form, "renewals"),
    cycles: form.getAll("cycles").join(","),
  }
}

/** What a page says about a form of a promotion that was refused. */
export function promotionProblemText(problem: PromotionProblem): string {
  if (problem.kind !== "invalid") return t(`promotions.problems.${problem.kind}`)
  const flaws = problem.flaws.map(
    ({ field, message }) => `${t(names[field] ?? "promotions.promotion")} ${message}.`,
  )
  return t("promotions.invalid", { flaws: flaws.join(" ") })
}

/** What the page calls the fields of a catalogue file. */
const names: Readonly<Record<string, ConsoleText>> = {
  code: "promotions.code",
  appliesto: "promotions.products",
  type: "promotions.kind",
  value: "promotions.value",
  currency: "promotions.currency",
  startdate: "promotions.firstDay",
  expirationdate: "promotions.lastDay",
  maxuses: "promotions.maxUses",
  maxusesperperson: "promotions.maxPerPerson",
  renewals: "promotions.renewals",
  cycles: "promotions.cycles",
}
