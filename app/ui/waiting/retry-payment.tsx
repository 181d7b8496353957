import { Form } from "react-router"
import type { Money } from "~/domain/money"
import { useTranslation } from "~/i18n/use-translation"
import { type PaymentError, PaymentErrorMessage } from "./payment-error"

type Due = {
  /** Amount received so far. */
  received: Money
  /** What the button says after a partial payment. */
  rest: string
  error: PaymentError | null
}

/** The payment failed, expired or accepts no top-up: a button creates another one for the same order. */
export function RetryPayment({ received, rest, error }: Due) {
  const { t } = useTranslation()
  const partly = received.minor > 0
  return (
    <>
      <PaymentErrorMessage error={error} host={null} />
      {partly && <p className="note">{t("waiting.restIsNew")}</p>}
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument>
        <button className="main" name="intent" value="retry">
          {partly ? rest : t("error.retry")}
        </button>
      </Form>
    </>
  )
}
