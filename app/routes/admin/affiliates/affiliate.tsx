import { consoleRequest } from "~/context/console.server"
import { emailShownTo } from "~/domain/operators/operator"
import { timedPlaceIn, timedPlaceText } from "~/flows/admin/keyset-pages.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { AffiliateScreen } from "~/ui/admin/affiliates/affiliate-screen.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { Route } from "./+types/affiliate"
import { spanOf } from "./affiliate-span.server"

const PATH = "/admin/affiliates"
const PER_PAGE = 25

/** What an affiliate has brought in some days, and the orders. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { affiliates } = services.console
  const { span, isInvalid, query } = spanOf(services, url)
  const figures = await affiliates.affiliate(params.id, span)
  if (!figures) throw new Response(null, { status: 404 })
  const beyond = timedPlaceIn(url.searchParams.get("orders") ?? "") ?? undefined
  const orders = await affiliates.affiliateOrders(figures.id, { span, beyond, limit: PER_PAGE + 1 })
  const last = orders.length > PER_PAGE ? orders[PER_PAGE - 1] : undefined
  const address = `${PATH}/${encodeURIComponent(figures.id)}?${query}`
  const older = last && timedPlaceText({ at: last.placedAt, id: last.id })
  return consolePage(
    context,
    { title: t("affiliates.affiliate"), path: PATH },
    <AffiliateScreen
      figures={figures}
      span={span}
      query={query}
      isInvalid={isInvalid}
      orders={orders.slice(0, PER_PAGE).map((it) => ({ ...it, email: emailShownTo(session.role, it.email) }))}
      links={{
        older: older === undefined ? null : consoleHref(`${address}&orders=${older}`),
        newer: null,
        newest: beyond ? consoleHref(address) : null,
      }}
      timeZone={services.shop.timeZone}
    />,
  )
}
