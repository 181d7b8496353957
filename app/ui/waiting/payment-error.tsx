import { useTranslation } from "~/i18n/use-translation"

/**
 * Why no payment was created. `choose`: no gateway was selected. `not-opened`: the gateway failed. `too-many`: rate limit.
 * `no-more`: the order's limit of payments is reached.
 */
export type PaymentError = {
  /** The control that was used. */
  readonly requestedBy: "pay" | "gateway"
  readonly kind: "choose" | "not-opened" | "too-many" | "no-more"
}

type Refused = {
  error: PaymentError | null
  /** Host of the payment that is still open; null without one. */
  host: string | null
}

/** Shows why the payment was not created, and what to do. */
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
