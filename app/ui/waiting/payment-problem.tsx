import { useTranslation } from "~/i18n/use-translation"

/**
 * Why no payment has been opened. `choose`: no gateway was named. `not-opened`: the gateway did not open it. `too-many`:
 * not now. `no-more`: this order has had as many payments as an order may have.
 */
export type PaymentError = {
  /** Where the buyer asked for it. */
  readonly requestedBy: "pay" | "gateway"
  readonly kind: "choose" | "not-opened" | "too-many" | "no-more"
}

type Refused = {
  error: PaymentError | null
  /** Where the payment that is still open is made; null where none is. */
  host: string | null
}

/** Says why the payment that was asked for is not there, and what can be done. */
export function PaymentErrorMessage({ error, host }: Refused) {
  const { t } = useTranslation()
  if (!error || error.kind === "choose") return null
  return (
    <div className="problems" role="alert">
      <p>
        {error.kind === "too-many" && t("waiting.tooMany")}
        {error.kind === "no-more" && t("waiting.noMore")}
        {error.kind === "not-opened" &&
          (host === null ? t("waiting.notOpened") : t("waiting.gateway.notOpened", { host }))}
      </p>
    </div>
  )
}
