import type { Instant } from "~/domain/calendar"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { dayText } from "../layout/format"

/** End of a service's paid time; nothing for a service without one. */
export function PaidUntil({ paidUntil, timeZone }: { paidUntil: Instant | null; timeZone: string }) {
  const { t } = useTranslation()
  const locale = useLocale()
  if (paidUntil === null) return null
  return (
    <time dateTime={new Date(paidUntil).toISOString()}>
      {t("success.paidUntil", { date: dayText(paidUntil, locale, timeZone) })}
    </time>
  )
}
