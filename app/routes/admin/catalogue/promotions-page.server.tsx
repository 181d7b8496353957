import type { PromotionRange } from "~/billing/catalogue/promotion-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { dayIn } from "~/domain/calendar"
import type { TypedPromotion } from "~/domain/forms/typed-promotion"
import { mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { productsOnSale } from "~/flows/services/all-products.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ExternalPromotionsScreen, PromotionsScreen } from "~/ui/admin/catalogue/promotions-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { proofAsked } from "../action-notice.server"
import { linksByKey } from "../list-address.server"

const PATH = "/admin/promotions"
const PER_PAGE = 50

type Shown = {
  readonly range: Omit<PromotionRange, "limit"> & { readonly beginning: string }
  readonly notice: ActionNotice | null
  readonly typed: { readonly typed: TypedPromotion; readonly reason: string } | null
}

/** The promotions of a range, and the form that adds one. `typed`: what it is filled in with; null: nothing. */
export async function promotionsPage(
  context: RouteContext,
  { range, notice, typed }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { promotions } = services.console
  const head = { title: t("promotions.title"), path: PATH, notice }
  if (!promotions) return consolePage(context, head, <ExternalPromotionsScreen />)
  const [found, products] = await Promise.all([
    promotions.promotions({ ...range, limit: PER_PAGE + 1 }),
    productsOnSale(services.catalogue),
  ])
  const page = found.slice(0, PER_PAGE)
  const listed = range.before === undefined ? page : page.toReversed()
  return consolePage(
    context,
    head,
    <PromotionsScreen
      promotions={listed}
      products={products}
      today={dayIn(services.shop.timeZone, services.now())}
      sought={range.beginning}
      links={linksByKey({
        ...range,
        address: range.beginning === "" ? PATH : `${PATH}?q=${encodeURIComponent(range.beginning)}`,
        ends: [listed.at(0)?.code, listed.at(-1)?.code],
        hasMore: found.length > PER_PAGE,
      })}
      mayAdd={mayDo(session.role, "add-promotion")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
    />,
  )
}
