import { Form } from "react-router"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import { GatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import type { PayLink } from "./hosted-payment"
import { type PaymentError, PaymentErrorMessage } from "./payment-error"
import { BackToPaymentLink } from "./waiting-confirm"

/** What is chosen already, as before a change of the language. */
export type ChosenMethod = { readonly gateway: GatewayId | null; readonly coin: string | null }

type Change = {
  others: readonly GatewayOffer[]
  method: ChosenMethod | undefined
  /** The current payment. */
  pay: Pick<PayLink, "host" | "ended">
  error: PaymentError | null
  /** See `ConfirmCard`. */
  isPage: boolean
}

const nothingChosen = { status: "error" as const, error: { gateway: ["checkout.gateway.required"] } }
const nothingTyped = (_: TypedText<"gateway">) => ({})

/** Changes the order's gateway. Payments at the previous gateway still count. */
export function WaitingGateway({ others, method, pay: { host, ended }, error, isPage }: Change) {
  const { t } = useTranslation()
  const single = others.length === 1 ? others[0] : undefined
  const lastResult = error?.kind === "choose" ? nothingChosen : null
  const { fields, formProps } = useCheckedForm({ id: "other-gateway", lastResult, check: nothingTyped })
  return (
    <ConfirmCard heading={t("waiting.gateway.heading")} isPage={isPage}>
      <PaymentErrorMessage error={error} host={ended ? null : host} />
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument {...formProps}>
        <GatewayChoice
          gateways={others}
          chosen={method?.gateway ?? single?.id ?? null}
          coin={method?.coin ?? null}
          field={fields.gateway}
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
