import type { ReactNode } from "react"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { QuoteLines } from "../checkout/quote-lines"
import { moneyText } from "../layout/format"
import type { WaitingOrder } from "./waiting-panel"

type Contents = {
  order: WaitingOrder
  /** The order's e-mail. */
  children: ReactNode
}

/** What is bought, for buyers who come back to the page later. */
export function OrderContents({ order, children }: Contents) {
  const { t } = useTranslation()
  return (
    <section className="card contents">
      <h2>{t("checkout.summary")}</h2>
      <QuoteLines lines={order.lines} />
      <p className="total">
        <span>{t("checkout.total")}</span> <b>{moneyText(order.total, useLocale())}</b>
      </p>
      <p className="note">{t("waiting.order", { order: order.id })}</p>
      {children}
    </section>
  )
}
