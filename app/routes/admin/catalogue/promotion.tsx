import { redirect } from "react-router"
import type { PromotionDetails } from "~/billing/catalogue/promotion-admin"
import type { OrderListItem } from "~/billing/orders/order-search"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { dayIn } from "~/domain/calendar"
import { emailShownTo, mayDo } from "~/domain/operators/operator"
import {
  actOnPromotion,
  isPromotionAction,
  type PromotionForm,
  promotionActions,
  seenOfPromotion,
  typedPromotion,
} from "~/flows/admin/catalogue/manage-promotions.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { findOrders } from "~/flows/admin/orders/find-orders.server"
import { productsOnSale } from "~/flows/services/all-products.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { PromotionScreen } from "~/ui/admin/catalogue/promotion-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/promotion"
import { promotionIfAny, promotionIn, promotionOf, promotionProblemText } from "./promotion-form.server"
import { promotionsPage } from "./promotions-page.server"

const PATH = "/admin/promotions"
/** Newest orders that the page shows; the list of orders has the others. */
const ORDERS_SHOWN = 20

/** A promotion: what it gives, its limits and uses with the newest orders, and what an operator may do with it. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { promotion } = await promotionOf(context, params.code)
  return promotionPage(context, promotion, { notice: goodNotice(url, promotion.code), typed: null })
}

function goodNotice({ searchParams }: URL, code: string): ActionNotice | null {
  if (searchParams.has("added")) return { kind: "good", text: t("promotions.added") }
  return doneNotice(searchParams, code)
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  const { promotions, promotion } = await promotionIfAny(context, params.code)
  if (!promotion) return gonePromotion(context, params.code, form)
  const address = `${PATH}/${encodeURIComponent(promotion.code)}`
  if (!form) return redirect(address, 303)
  const outcome = await actOnPromotion(services, actor, { promotions, promotion, form })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery(form.action)}`, 303)
  const notice = problemNotice(outcome, promotionProblemText)
  const present = (await promotions.promotionDetails(promotion.code)) ?? promotion
  return promotionPage(context, present, { notice, typed: form })
}

/** The promotion was removed since its form was opened: what was typed is offered as a new one. */
async function gonePromotion(
  context: RouteContext,
  code: string,
  form: PromotionForm | null,
): Promise<Response> {
  if (form?.action !== "edit-promotion") return redirect(`${PATH}?gone`, 303)
  const notice: ActionNotice = { kind: "bad", text: t("promotions.goneEdited") }
  const typed = { typed: { ...form.typed, code }, reason: form.reason }
  return promotionsPage(context, { range: { beginning: "" }, notice, typed })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): PromotionForm | null {
  const action = textIn(form, "action")
  if (!isPromotionAction(action)) return null
  return {
    action,
    typed: promotionIn(form),
    ...changeFormIn(form),
  }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: PromotionForm | null }

async function promotionPage(
  context: RouteContext,
  promotion: PromotionDetails,
  { notice, typed }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const finder = { orders: services.console.orders, now: services.console.machineNow }
  const noCodes = { unused: 0, used: 0, withdrawn: 0 }
  const [{ orders }, products, codes] = await Promise.all([
    findOrders(finder, { promoCode: promotion.code }, { size: ORDERS_SHOWN }),
    productsOnSale(services.catalogue),
    services.console.promotions?.codeCounts(promotion.code) ?? noCodes,
  ])
  const needless = promotion.offSince === null ? "switch-on-promotion" : "switch-off-promotion"
  return consolePage(
    context,
    { title: promotion.code, path: PATH, notice },
    <PromotionScreen
      promotion={promotion}
      products={products}
      today={dayIn(services.shop.timeZone, services.now())}
      orders={orders.map((it): OrderListItem => ({ ...it, email: emailShownTo(session.role, it.email) }))}
      actions={promotionActions.filter((it) => it !== needless && mayDo(session.role, it))}
      codes={codes}
      value={typedPromotion(promotion)}
      seen={seenOfPromotion(promotion)}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
