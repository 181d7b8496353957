import { useTranslation } from "~/i18n/use-translation"

/**
 * Why no payment has been opened. `choose`: no gateway was named. `not-opened`: the gateway did not open it. `too-many`:
 * not now. `no-more`: this order has had as many payments as an order may have.
 */
export type PaymentProblem = {
  /** Where the buyer asked for it. */
  readonly asked: "pay" | "gateway"
  readonly kind: "choose" | "not-opened" | "too-many" | "no-more"
}

type Refused = {
  problem: PaymentProblem | null
  /** Where the payment that is still open is made; null where none is. */
  host: string | null
}

/** Says why the payment that was asked for is not there, and what can be done. */
export function PaymentRefused({ problem, host }: Refused) {
  const { t } = useTranslation()
  if (!problem || problem.kind === "choose") return null
  return (
    <div className="problems" role="alert">
      <p>
        {problem.kind === "too-many" && t("waiting.tooMany")}
        {problem.kind === "no-more" && t("waiting.noMore")}
        {problem.kind === "not-opened" &&
          (host === null ? t("waiting.notOpened") : t("waiting.gateway.notOpened", { host }))}
      </p>
    </div>
  )
}
