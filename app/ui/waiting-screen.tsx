import { Link } from "react-router"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { TimelineEvent } from "~/domain/timeline"
import { useTranslation } from "~/locales/use-translation"
import { moneyText } from "./format"
import { PayCard, type PayLink } from "./pay-card"
import { TimeLeft } from "./time-left"
import { Timeline } from "./timeline"
import { localPath, useLocale } from "./use-locale"

type Waiting = {
  order: Order
  timeline: readonly TimelineEvent[]
  left: Money
  /** Where to pay; null when nothing can be paid just now. */
  pay: PayLink | null
  now: Instant
  timeZone: string
}

/** A story, not a spinner: what has happened, what comes next, how long it holds, what the buyer can do. */
export function WaitingScreen({ order, timeline, left, pay, now, timeZone }: Waiting) {
  const { t } = useTranslation()
  const partly = order.received.minor > 0
  const expired = order.status === "expired"
  return (
    <div className={pay ? "waiting" : "waiting narrow"}>
      <section className="card">
        {expired ? <Expired order={order} /> : <Open partly={partly} />}
        {!expired && <TimeLeft from={order.placedAt} until={order.deadline} {...{ now, timeZone }} />}
      </section>
      {pay && <PayCard {...{ left, pay, partly }} />}
      <section className="card">
        <h2>{t("waiting.story")}</h2>
        <p className="note">{t("waiting.order", { order: order.id })}</p>
        <Timeline events={timeline} timeZone={timeZone} ahead={useAhead(order, left)} />
      </section>
    </div>
  )
}

function Open({ partly }: { partly: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t(partly ? "waiting.headingPartly" : "waiting.heading")}</h1>
      <p className="lead">{t("waiting.lead")}</p>
    </>
  )
}

function Expired({ order: { received } }: { order: Order }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <h1>{t("waiting.expired")}</h1>
      <p className="lead">
        {received.minor > 0
          ? t("waiting.expiredPartly", { received: moneyText(received, locale) })
          : t("waiting.expiredLead")}
      </p>
      <Link className="main button" to={localPath(locale, "/")}>
        {t("waiting.again")}
      </Link>
    </>
  )
}

/** What comes next: nothing more for an order that has expired. */
function useAhead({ status, received, total }: Order, left: Money) {
  const { t } = useTranslation()
  const locale = useLocale()
  if (status === "expired") return []
  const sums = { received: moneyText(received, locale), total: moneyText(total, locale) }
  return [
    {
      step: t("waiting.toPay", { amount: moneyText(left, locale) }),
      note: received.minor > 0 ? t("waiting.received", sums) : null,
    },
    { step: t("waiting.ready"), note: null },
  ]
}
