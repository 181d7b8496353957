import { Form } from "react-router"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import type { FieldErrors } from "../form/form-errors"
import { GatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import type { PayLink } from "./hosted-payment"
import { type PaymentProblem, PaymentRefused } from "./payment-problem"
import { BackToPaymentLink } from "./waiting-confirm"

type Change = {
  others: readonly GatewayOffer[]
  /** The payment there is now. */
  pay: Pick<PayLink, "host" | "ended">
  problem: PaymentProblem | null
}

/** Another way to pay the same order. The first one is not undone: what is paid there counts. */
export function WaitingGateway({ others, pay: { host, ended }, problem }: Change) {
  const { t } = useTranslation()
  const [only, ...more] = others
  const problems: FieldErrors = problem?.kind === "choose" ? { gateway: ["checkout.gateway.required"] } : {}
  return (
    <ConfirmCard heading={t("waiting.gateway.heading")}>
      <PaymentRefused problem={problem} host={ended ? null : host} />
      {/* The gateway is another site: there the browser goes by itself. */}
      <Form method="post" reloadDocument>
        <GatewayChoice
          gateways={others}
          chosen={more.length === 0 ? (only?.id ?? null) : null}
          problems={problems}
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
