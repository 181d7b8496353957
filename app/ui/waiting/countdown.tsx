import { useEffect, useState } from "react"
import { type Instant, MINUTE } from "~/domain/calendar"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { spanText } from "../layout/format"

type Span = {
  from: Instant
  until: Instant
  now: Instant
  /** The end in words. */
  payBy: string
}

/** Until when to pay: in words, and counted down in the last quarter of the time alone, so that nobody is hurried. */
export function Countdown({ from, until, now, payBy }: Span) {
  const { t } = useTranslation()
  const locale = useLocale()
  const left = useTimeLeft(until - now)
  const isCounted = left <= (until - from) / 4
  return (
    <span className="time-left">
      <time dateTime={new Date(until).toISOString()}>{payBy}</time>{" "}
      <span aria-live={isAnnounced(left) ? "polite" : "off"}>
        {isCounted && t("waiting.timeLeftIn", { time: spanText(left, locale) })}
      </span>
    </span>
  )
}

/** Seen by the minute, read out by the quarter of an hour and in the last minutes: it would drown everything else. */
function isAnnounced(left: number): boolean {
  const minutes = Math.ceil(left / MINUTE)
  return minutes <= 5 || minutes % 15 === 0
}

/** Counts down by the minute from the server's time, so that a wrong browser clock does not matter. */
function useTimeLeft(atFirst: number): number {
  const [left, setLeft] = useState(atFirst)
  useEffect(() => {
    const start = performance.now()
    const tick = () => setLeft(atFirst - (performance.now() - start))
    // What the server says again counts at once: a page that reloads its data often would never reach a tick.
    tick()
    const timer = setInterval(tick, MINUTE)
    return () => clearInterval(timer)
  }, [atFirst])
  return left
}
