import { Form } from "react-router"
import type { Money } from "~/domain/money/money"
import { useTranslation } from "~/i18n/use-translation"
import { AlreadyPaid, type PayLink, type PayTexts } from "./hosted-payment"
import { type PaymentError, PaymentErrorMessage } from "./payment-error"

type Due = {
  /** Amount received so far. */
  received: Money
  pay: Pick<PayLink, "expired">
  texts: PayTexts
  error: PaymentError | null
}

/** The payment failed, expired or accepts no top-up: a button creates another one for the same order. */
export function RetryPayment({ received, pay, texts, error }: Due) {
  const { t } = useTranslation()
  const partly = received.minor > 0
  return (
    <>
      <PaymentErrorMessage error={error} host={null} />
      {partly && <p className="note">{t("waiting.restIsNew")}</p>}
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument>
        <button className="main" name="intent" value="retry">
          {partly ? texts.pay : t("error.retry")}
        </button>
      </Form>
      {pay.expired && <AlreadyPaid text={texts.alreadyPaid} />}
    </>
  )
}
