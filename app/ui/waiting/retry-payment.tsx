import { Form } from "react-router"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"
import { ChangeOfMind } from "./hosted-payment"

type Due = { left: Money; partly: boolean; otherWays: boolean }

/** The payment has failed or run out, and the order has not: one press opens another. */
export function PayAgain({ left, partly, otherWays }: Due) {
  const { t } = useTranslation()
  return (
    <section className="card pay-card" aria-labelledby="pay">
      <h2 id="pay">{t("waiting.retry.heading")}</h2>
      <p className="total">
        <span>{t("waiting.left")}</span> <b>{moneyText(left, useLocale())}</b>
      </p>
      <p className="note">{t("waiting.retry.lead")}</p>
      {/* The gateway is another site: there the browser goes by itself. */}
      <Form method="post" reloadDocument>
        <button className="main" name="intent" value="retry">
          {t("error.retry")}
        </button>
      </Form>
      <ChangeOfMind {...{ partly, otherWays }} />
    </section>
  )
}
