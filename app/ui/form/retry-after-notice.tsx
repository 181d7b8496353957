import { MINUTE, SECOND } from "~/domain/calendar"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { spanText } from "../layout/format"

/** Notice of the time to wait; nothing for 0 seconds. */
export function RetryAfterNotice({ seconds }: { seconds: number }) {
  const { t } = useTranslation()
  const locale = useLocale()
  if (seconds === 0) return null
  const minutes = Math.ceil((seconds * SECOND) / MINUTE) * MINUTE
  return (
    <div className="problems" role="alert">
      <p>{t("signIn.tooMany", { time: spanText(minutes, locale) })}</p>
    </div>
  )
}
