import type { Quote } from "~/domain/pricing"
import type { AppliedCredit } from "~/domain/usable-credit"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

/** Shows that the submission is in progress; the form accepts no second one. `words`: in place of the usual ones. */
export function PayButton({ busy, words }: { busy: boolean; words?: string | null | undefined }) {
  const { t } = useTranslation()
  return (
    <button className="main" name="intent" value="pay" aria-disabled={busy || undefined}>
      {busy ? t("checkout.paying") : (words ?? t("checkout.pay"))}
    </button>
  )
}

type Bar = { quote: Quote; credit: AppliedCredit | null; busy: boolean; words?: string | null | undefined }

/** On a phone what is to be paid and the button stay visible. */
export function PayBar({ quote, credit, busy, words }: Bar) {
  const { t } = useTranslation()
  return (
    <div className="pay-bar">
      <p>
        <small>{credit ? credit.texts.left : t("checkout.total")}</small>{" "}
        <b>{moneyText(credit ? credit.left : quote.total, useLocale())}</b>
      </p>
      <PayButton busy={busy} words={words} />
    </div>
  )
}
