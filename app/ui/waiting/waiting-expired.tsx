import { Form } from "react-router"
import type { Order } from "~/domain/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

/** Expired order: what became of a partial payment, and a button to order the same again. */
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
