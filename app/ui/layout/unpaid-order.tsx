import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import { orderPath } from "~/domain/orders/screen-paths"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "./format"

/** An unpaid order for the service. */
export type UnpaidOrder = {
  readonly id: string
  readonly kind: OrderKind
  readonly left: Money
  /** The link to the payment of a partly paid order; null: nothing has arrived. */
  readonly payRest: string | null
}

/** Notice of an unpaid order with its amount due and a link to the payment. */
export function UnpaidOrderNotice({ order }: { order: UnpaidOrder | null }) {
  const { t } = useTranslation()
  const locale = useLocale()
  if (!order) return null
  const { id, kind, left, payRest } = order
  return (
    <section className="card">
      <p>{t("success.unpaid", { order: id, left: moneyText(left, locale) })}</p>
      {/* It may have been placed in another browser. */}
      <Link className="button" to={`${localPath(locale, orderPath("waiting", { kind }))}?order=${id}`}>
        {payRest ?? t("waiting.back")}
      </Link>
    </section>
  )
}
