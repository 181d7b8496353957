import type { Quote } from "~/domain/pricing"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"

/** Shows that the submission is in progress; the form accepts no second one. */
export function PayButton({ busy }: { busy: boolean }) {
  const { t } = useTranslation()
  return (
    <button className="main" name="intent" value="pay" aria-disabled={busy || undefined}>
      {t(busy ? "checkout.paying" : "checkout.pay")}
    </button>
  )
}

/** On a phone the total and the button stay visible. */
export function PayBar({ quote, busy }: { quote: Quote; busy: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="pay-bar">
      <p>
        <small>{t("checkout.total")}</small> <b>{moneyText(quote.total, useLocale())}</b>
      </p>
      <PayButton busy={busy} />
    </div>
  )
}
