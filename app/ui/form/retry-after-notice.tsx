import { MINUTE, SECOND } from "~/domain/calendar"
import { useTranslation } from "~/locales/use-translation"
import { spanText } from "./format"
import { useLocale } from "./use-locale"

/** How long somebody has to wait before he may try again; nothing where he need not. */
export function TooManyTries({ seconds }: { seconds: number }) {
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
