import { Form } from "react-router"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import type { FieldErrors } from "../form/form-errors"
import { GatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import type { PayLink } from "./hosted-payment"
import { type PaymentError, PaymentErrorMessage } from "./payment-problem"
import { BackToPaymentLink } from "./waiting-confirm"

type Change = {
  others: readonly GatewayOffer[]
  /** The payment there is now. */
  pay: Pick<PayLink, "host" | "ended">
  error: PaymentError | null
}

/** Another way to pay the same order. The first one is not undone: what is paid there counts. */
export function WaitingGateway({ others, pay: { host, ended }, error }: Change) {
  const { t } = useTranslation()
  const [only, ...more] = others
  const errors: FieldErrors = error?.kind === "choose" ? { gateway: ["checkout.gateway.required"] } : {}
  return (
    <ConfirmCard heading={t("waiting.gateway.heading")}>
      <PaymentErrorMessage error={error} host={ended ? null : host} />
      {/* The gateway is another site: there the browser goes by itself. */}
      <Form method="post" reloadDocument>
        <GatewayChoice
          gateways={others}
          chosen={more.length === 0 ? (only?.id ?? null) : null}
          errors={errors}
        />
        <button className="main" name="intent" value="gateway">
          {t("checkout.pay")}
        </button>
      </Form>
      <p className="note">{t("waiting.gateway.note", { host })}</p>
      <BackToPaymentLink text={t("waiting.back")} />
    </ConfirmCard>
  )
}
