import { Form } from "react-router"
import type { Order } from "~/domain/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

type Expired = {
  order: Pick<Order, "received">
  /** Link to support for those who have paid; null without support. */
  didPay: { readonly text: string; readonly href: string } | null
}

/** Expired order: what became of a partial payment, and a button to order the same again. */
export function ExpiredOrder({ order: { received }, didPay }: Expired) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <h1>{t("waiting.expired")}</h1>
      <p className="lead">
        {received.minor > 0
          ? t("waiting.expiredPartly", { received: moneyText(received, locale) })
          : t("waiting.expiredLead")}
      </p>
      <Form method="post">
        <button className="main button" name="intent" value="again">
          {t("waiting.again")}
        </button>
      </Form>
      {didPay && (
        <a className="large button" href={didPay.href} rel="noreferrer">
          {didPay.text}
        </a>
      )}
    </>
  )
}
