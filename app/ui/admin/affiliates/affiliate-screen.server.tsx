import type { AffiliateFigures, AffiliateSpan } from "~/billing/affiliate-admin"
import type { OrderListItem } from "~/billing/orders/order-search"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { Notice } from "../form-parts.server"
import { Fact, type ListLinks, ListPages } from "../list-parts.server"
import { OrderTable } from "../orders/orders-screen.server"
import { AffiliateDays } from "./affiliates-screen.server"

type AffiliateProps = {
  figures: AffiliateFigures
  span: AffiliateSpan
  /** The span as the query of an address. */
  query: string
  /** What was typed is no span: the last days are shown. */
  isInvalid: boolean
  orders: readonly OrderListItem[]
  links: ListLinks
  timeZone: string
}

const names = { older: "affiliates.older", newer: "affiliates.older", newest: "affiliates.toNewest" } as const

/** An affiliate: what it has brought in some days, and the orders. */
export function AffiliateScreen(props: AffiliateProps) {
  const { figures, span, query, isInvalid, orders, links, timeZone } = props
  const { id, clicks, paid, amounts } = figures
  return (
    <>
      <div className="title">
        <h1 className="breaks">
          {t("affiliates.affiliate")} {id}
        </h1>
      </div>
      {isInvalid && <Notice kind="warning">{t("affiliates.invalidDays")}</Notice>}
      <section className="card">
        <AffiliateDays path={`/admin/affiliates/${encodeURIComponent(id)}`} span={span} />
        <dl className="facts">
          <Fact name="affiliates.clicks">{clicks}</Fact>
          <Fact name="affiliates.orders">{figures.orders}</Fact>
          <Fact name="affiliates.paid">{paid}</Fact>
          {amounts.length > 0 && <Fact name="affiliates.amounts">{amounts.map(amountText).join(" + ")}</Fact>}
        </dl>
        <p>{t("affiliates.amountsHint")}</p>
      </section>
      <section className="card">
        <h2>{t("affiliates.newest")}</h2>
        {orders.length === 0 ? (
          <p>{t("affiliates.noOrders")}</p>
        ) : (
          <OrderTable orders={orders} timeZone={timeZone} />
        )}
        <ListPages links={links} names={names} />
      </section>
      <p>
        <a href={consoleHref(`/admin/affiliates?${query}`)}>{t("affiliates.all")}</a>
      </p>
    </>
  )
}
