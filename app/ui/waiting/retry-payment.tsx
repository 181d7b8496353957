import { Form } from "react-router"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"
import { OrderActions, type PayLink } from "./hosted-payment"
import { type PaymentError, PaymentErrorMessage } from "./payment-error"

type Due = {
  left: Money
  /** Amount received so far. */
  received: Money
  pay: PayLink
  hasOtherMethods: boolean
  error: PaymentError | null
}

/** The payment failed, expired or accepts no top-up: a button creates another one for the same order. */
export function RetryPayment({ left, received, pay, hasOtherMethods, error }: Due) {
  const { t } = useTranslation()
  const locale = useLocale()
  const partly = received.minor > 0
  return (
    <section className="card pay-card" aria-labelledby="pay">
      <h2 id="pay">{t(partly ? "waiting.payRest" : "waiting.retry.heading")}</h2>
      <p className="total">
        <span>{t("waiting.left")}</span> <b>{moneyText(left, locale)}</b>
      </p>
      <PaymentErrorMessage error={error} host={null} />
      <p className="note">
        {partly ? t("waiting.restIsNew", { received: moneyText(received, locale) }) : t("waiting.retry.lead")}
      </p>
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument>
        <button className="main" name="intent" value="retry">
          {t(partly ? "checkout.pay" : "error.retry")}
        </button>
      </Form>
      <OrderActions hasOtherMethods={hasOtherMethods} pay={pay} />
    </section>
  )
}
