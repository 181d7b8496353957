import type { Quote } from "~/domain/catalogue/pricing"
import type { AppliedCredit } from "~/domain/payments/usable-credit"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

/**
 * Sends nothing, without script too, and keeps its place in the order of tabs, so that it is read out with its reason: the sentence with
 * this id.
 */
const INACTIVE = { type: "button", "aria-disabled": true, "aria-describedby": "paused" } as const

type Pay = {
  busy: boolean
  /** In place of the usual ones. */
  words?: string | null | undefined
  /** Nothing can be ordered. */
  isPaused: boolean
}

/** Shows that the submission is in progress; the form accepts no second one. */
export function PayButton({ busy, words, isPaused }: Pay) {
  const { t } = useTranslation()
  return (
    <button
      className="main"
      name="intent"
      value="pay"
      aria-disabled={busy || undefined}
      {...(isPaused && INACTIVE)}
    >
      {busy ? t("checkout.paying") : (words ?? t("checkout.pay"))}
    </button>
  )
}

type Bar = Pay & { quote: Quote; credit: AppliedCredit | null }

/** On a phone what is to be paid and the button stay visible. */
export function PayBar({ quote, credit, ...pay }: Bar) {
  const { t } = useTranslation()
  return (
    <div className="pay-bar">
      <p>
        <small>{credit ? credit.texts.left : t("checkout.total")}</small>{" "}
        <b>{moneyText(credit ? credit.left : quote.total, useLocale())}</b>
      </p>
      <PayButton {...pay} />
    </div>
  )
}
