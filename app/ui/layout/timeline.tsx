import { dayIn } from "~/domain/calendar"
import type { TimelineEvent, TimelineKind } from "~/domain/orders/timeline"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { dateTimeText, dayTimeText, moneyText, timeText } from "./format"
import { CheckIcon, CrossIcon } from "./icons"

type TimelineView = {
  events: readonly TimelineEvent[]
  timeZone: string
  /** What is ready once an order is provisioned, where it is not a service to watch. */
  ready?: string
  /** Next steps; the first one is in progress. */
  ahead: readonly { readonly step: string; readonly note: string | null }[]
}

/** The order's timeline: past events with times, then the next steps. */
export function Timeline({ events, timeZone, ready, ahead }: TimelineView) {
  const [first] = events
  const firstDay = first && dayIn(timeZone, first.at)
  return (
    <ol className="timeline">
      {events.map((event) => (
        <Past
          key={`${event.kind} ${event.at}`}
          event={event}
          timeZone={timeZone}
          ready={ready}
          sameDay={dayIn(timeZone, event.at) === firstDay}
        />
      ))}
      {ahead.map(({ step, note }, index) => (
        <li
          key={step}
          className={index === 0 ? "now" : "later"}
          aria-current={index === 0 ? "step" : undefined}
        >
          <i aria-hidden="true" />
          <span>
            {step}
            {note && <small>{note}</small>}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Events that are setbacks. */
const setbacks: readonly TimelineKind[] = [
  ...(["payment-failed", "payment-expired", "cancelled", "expired", "flagged"] as const),
]

type Happened = Pick<TimelineView, "timeZone" | "ready"> & { event: TimelineEvent; sameDay: boolean }

/** Shows the time on the day of the order, otherwise date and time. */
function Past({ event: { kind, at, amount }, timeZone, ready, sameDay }: Happened) {
  const { t } = useTranslation()
  const locale = useLocale()
  const setback = setbacks.includes(kind)
  return (
    <li className={setback ? "setback" : undefined}>
      {setback ? <CrossIcon /> : <CheckIcon />}
      <span>
        <strong>{kind === "provisioned" && ready ? ready : t(`timeline.${kind}`)}</strong>
        {amount && <small>{moneyText(amount, locale)}</small>}
      </span>
      {/* Versions of ICU may format a time differently. */}
      <time
        dateTime={new Date(at).toISOString()}
        title={dateTimeText(at, locale, timeZone)}
        suppressHydrationWarning
      >
        {(sameDay ? timeText : dayTimeText)(at, locale, timeZone)}
      </time>
    </li>
  )
}
