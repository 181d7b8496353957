import type { ReactNode } from "react"
import { Link } from "react-router"
import type { Instant } from "~/domain/calendar"
import { localPath } from "~/domain/locales"
import type { Money } from "~/domain/money"
import type { OrderKind } from "~/domain/order"
import type { TimelineEvent } from "~/domain/timeline"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import type { GatewayOffer } from "../form/gateway-picker"
import { dateTimeText, moneyText } from "../layout/format"
import { Timeline } from "../layout/timeline"
import { Countdown } from "./countdown"
import type { PayLink } from "./hosted-payment"
import { OrderContents } from "./order-contents"
import type { PaymentError } from "./payment-error"
import { ExpiredOrder } from "./waiting-expired"
import { type WaitingOrder, WaitingPanel, type WaitingView } from "./waiting-panel"

type Waiting = {
  order: WaitingOrder
  timeline: readonly TimelineEvent[]
  left: Money
  /** The open payment; null if nothing can be paid. */
  pay: PayLink | null
  state: WaitingView
  /** All available gateways, the order's included. */
  gateways: readonly GatewayOffer[]
  /** Path of an upsell's service page, without locale prefix; null for other orders. */
  accessPath: string | null
  /** What the payment leads to, for a renewal. */
  notes: readonly string[]
  error: PaymentError | null
  /** The e-mail of the order, with a form to correct it. */
  orderEmail: ReactNode
  /** Time to pay: until the order's deadline, or until the open payment ends before it. */
  timeLeft: { from: Instant; until: Instant }
  now: Instant
  timeZone: string
}

/** Waiting screen: timeline, next steps, countdown and actions. */
export function WaitingScreen({ pay, accessPath, timeLeft, now, timeZone, ...shown }: Waiting) {
  const { order, timeline, left } = shown
  const { t } = useTranslation()
  const expired = order.status === "expired"
  const seen = timeline.at(-1)?.kind === "seen"
  return (
    <div className={pay ? "waiting" : "waiting narrow"}>
      <section className="card">
        {shown.notes.map((note) => (
          <p key={note} className="told">
            {note}
          </p>
        ))}
        {expired ? (
          <ExpiredOrder order={order} />
        ) : (
          <Open kind={order.kind} partly={order.received.minor > 0} seen={seen} />
        )}
        {!expired && <Countdown {...timeLeft} now={now} timeZone={timeZone} />}
        {!expired && timeLeft.until < order.deadline && (
          <PaymentAgain deadline={order.deadline} timeZone={timeZone} />
        )}
        {accessPath && <BackToAccess path={accessPath} />}
      </section>
      {pay && <WaitingPanel {...shown} pay={pay} seen={seen} timeZone={timeZone} />}
      <OrderContents order={order}>{shown.orderEmail}</OrderContents>
      <section className="card">
        <h2>{t("waiting.story")}</h2>
        <Timeline events={timeline} timeZone={timeZone} ahead={useAhead({ order, left, seen })} />
      </section>
    </div>
  )
}

function Open({ kind, partly, seen }: { kind: OrderKind; partly: boolean; seen: boolean }) {
  const { t } = useTranslation()
  return (
    <div aria-live="polite">
      <h1>{t(seen ? "waiting.headingSeen" : partly ? "waiting.headingPartly" : "waiting.heading")}</h1>
      {seen && <p className="told">{t("waiting.seen")}</p>}
      <p className="lead">{t(kind === "reseller" ? "waiting.leadReseller" : "waiting.lead")}</p>
    </div>
  )
}

/** The order outlives the open payment. */
function PaymentAgain({ deadline, timeZone }: { deadline: Instant; timeZone: string }) {
  const { t } = useTranslation()
  const moment = dateTimeText(deadline, useLocale(), timeZone)
  return (
    <p className="note" suppressHydrationWarning>
      {t("waiting.orderUntil", { moment })}
    </p>
  )
}

/** Link to the service, which an upsell's buyer can use already. */
function BackToAccess({ path }: { path: string }) {
  const { t } = useTranslation()
  return (
    <Link className="quiet" to={localPath(useLocale(), path)}>
      {t("waiting.access")}
    </Link>
  )
}

/** Next steps; none for an expired order. */
function useAhead({ order, left, seen }: { order: WaitingOrder; left: Money; seen: boolean }) {
  const { status, kind, received, total } = order
  const { t } = useTranslation()
  const locale = useLocale()
  if (status === "expired") return []
  const sums = { received: moneyText(received, locale), total: moneyText(total, locale) }
  const payment = {
    step: t("waiting.toPay", { amount: moneyText(left, locale) }),
    note: received.minor > 0 ? t("waiting.received", sums) : null,
  }
  return [
    seen ? { step: t("waiting.confirming"), note: null } : payment,
    { step: t(outcomeOf[kind]), note: t("waiting.soon") },
  ]
}

/** Result of the payment by kind of order. */
const outcomeOf = {
  plan: "waiting.ready",
  line: "waiting.ready",
  reseller: "waiting.readyReseller",
  upsell: "waiting.added",
  renewal: "timeline.renewed",
} as const satisfies Record<OrderKind, string>
