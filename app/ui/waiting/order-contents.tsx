import type { ReactNode } from "react"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { Money } from "~/domain/money/money"
import type { BuyingView } from "~/domain/orders/buying-view"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { type Named, PaidParts, QuoteLines } from "../checkout/quote-lines"
import { moneyText } from "../layout/format"

type Contents = {
  buying: BuyingView
  lines: readonly QuoteLine[]
  total: Money
  /** Account credit and confirmed payments, with what the page calls them; those of zero are not shown. */
  paid: readonly Named[]
  /** What is left; null: it cannot be paid any more. */
  due: Named | null
  /** Null before it is placed. */
  orderId: string | null
  /** The page of the pro forma invoice, and what it is called; absent: there is none. */
  proforma?: { readonly text: string; readonly href: string } | null
  /** The order's e-mail. */
  children: ReactNode
}

/** What is bought, for buyers who decide, and for those who come back to the page later. */
export function OrderContents({ buying, lines, total, paid, due, orderId, proforma, children }: Contents) {
  const { t } = useTranslation()
  const locale = useLocale()
  const parts = paid.filter(({ amount }) => amount.minor > 0)
  return (
    <section className="card contents">
      <h2>{buying.texts.heading}</h2>
      <QuoteLines lines={lines} />
      <p className="total">
        {/* Before the order the whole total is what is paid now. */}
        <span>{orderId === null && due && !parts[0] ? due.label : t("checkout.total")}</span>{" "}
        <b>{moneyText(total, locale)}</b>
      </p>
      <PaidParts parts={parts} due={due} />
      {buying.until && (
        <p className="row">
          <span>{buying.until.label}</span> <span suppressHydrationWarning>{buying.until.text}</span>
        </p>
      )}
      {buying.notes.map((note) => (
        <p key={note} className="note">
          {note}
        </p>
      ))}
      {orderId && <p className="note">{t("waiting.order", { order: orderId })}</p>}
      {proforma && (
        <a className="quiet" href={proforma.href}>
          {proforma.text}
        </a>
      )}
      {children}
    </section>
  )
}
