import { Form } from "react-router"
import type { Order } from "~/domain/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

/** The order was not paid in time: what became of the money, and one button to choose the same again. */
export function ExpiredOrder({ order: { received } }: { order: Pick<Order, "received"> }) {
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
    </>
  )
}
