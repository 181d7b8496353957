import { useEffect, useState } from "react"
import { type Instant, MINUTE } from "~/domain/calendar"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { dateTimeText, spanText } from "../layout/format"

type Span = { from: Instant; until: Instant; now: Instant; timeZone: string }

/** Countdown: a bar, the time left and, since clocks differ, the absolute end. */
export function Countdown({ from, until, now, timeZone }: Span) {
  const { t } = useTranslation()
  const locale = useLocale()
  const left = useTimeLeft(until - now)
  return (
    <div className="time-left">
      <progress max={until - from} value={Math.max(0, left)} aria-label={t("waiting.timeLeft")} />
      <p>
        <span aria-live="polite">{t("waiting.timeLeftIn", { time: spanText(left, locale) })}</span>
        <time dateTime={new Date(until).toISOString()} suppressHydrationWarning>
          {t("waiting.until", { moment: dateTimeText(until, locale, timeZone) })}
        </time>
      </p>
    </div>
  )
}

/** Counts down by the minute from the server's time, so that a wrong browser clock does not matter. */
function useTimeLeft(atFirst: number): number {
  const [left, setLeft] = useState(atFirst)
  useEffect(() => {
    const start = performance.now()
    const tick = () => setLeft(atFirst - (performance.now() - start))
    const timer = setInterval(tick, MINUTE)
    return () => clearInterval(timer)
  }, [atFirst])
  return left
}
