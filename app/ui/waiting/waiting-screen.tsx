import type { ReactNode } from "react"
import { Link } from "react-router"
import type { Instant } from "~/domain/calendar"
import { localPath } from "~/domain/locales"
import { type Money, plus } from "~/domain/money/money"
import type { BuyingView } from "~/domain/orders/buying-view"
import type { OrderKind } from "~/domain/orders/order"
import type { TimelineEvent } from "~/domain/orders/timeline"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import type { GatewayOffer } from "../form/gateway-picker"
import { dateTimeText, moneyText } from "../layout/format"
import { ClockIcon, ShieldIcon } from "../layout/icons"
import { ReloadLink, type ReloadLinkView } from "../layout/reload-link"
import { Timeline } from "../layout/timeline"
import { Countdown } from "./countdown"
import { OrderActions, type PayLink, type PayTexts } from "./hosted-payment"
import { OrderContents } from "./order-contents"
import type { PaymentError } from "./payment-error"
import type { QuestionTexts } from "./waiting-confirm"
import { ExpiredOrder } from "./waiting-expired"
import type { ChosenMethod } from "./waiting-gateway"
import { LookingForPayment, type LookingView } from "./waiting-looking"
import {
  isSeen,
  OrderQuestion,
  othersOf,
  Payment,
  possible,
  type WaitingOrder,
  type WaitingView,
} from "./waiting-panel"

/** What the page says of the order's state, as texts in its language. */
export type WaitingTexts = PayTexts &
  QuestionTexts & {
    /** Null: what its state says without amounts. */
    readonly heading: string | null
    /** The state in one sentence; of an expired order what becomes of its payments. */
    readonly lead: string
    /** Until when to pay, in words. */
    readonly payBy: string
    /** That the page can be closed, and what reaches the buyer then. */
    readonly safe: string
    readonly looking: LookingView
    /** Link for those who have paid an expired order; null without support. */
    readonly didPay: { readonly text: string; readonly href: string } | null
    /** Result of the payment, where the kind of the order alone does not name it. */
    readonly outcome: string | null
    /** The page of its pro forma invoice; null without one. */
    readonly proforma: { readonly text: string; readonly href: string } | null
  }

type Waiting = {
  order: WaitingOrder
  timeline: readonly TimelineEvent[]
  /** Account credit that pays a part. */
  accountCredit: Money
  left: Money
  /** The open payment; null if nothing can be paid. */
  pay: PayLink | null
  state: WaitingView
  texts: WaitingTexts
  buying: BuyingView
  /** All available gateways, the order's included. */
  gateways: readonly GatewayOffer[]
  method?: ChosenMethod | undefined
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
  /** Without script; null: the page does not reload. */
  refreshSeconds: number | null
  reloads: ReloadLinkView | null
}

/** Waiting screen: the state with one action, what is bought, and the ways to change it. */
export function WaitingScreen(shown: Waiting) {
  const { pay, order, gateways, error } = shown
  const seen = isSeen(shown)
  const others = othersOf(order, gateways)
  const view = pay ? possible(error?.requestedBy ?? shown.state, { pay, others }) : "pay"
  const isAsking = asks(view)
  // A payment that is on its way counts for the answer; without one the question stands alone.
  const hasState = !isAsking || seen
  return (
    <div className={pay ? "waiting two-columns" : "waiting narrow"}>
      <div className="column">
        {pay && (
          <OrderQuestion
            order={order}
            pay={pay}
            state={view}
            others={others}
            method={shown.method}
            error={error}
            isPage={!hasState}
            texts={shown.texts}
          />
        )}
        {hasState && (
          <>
            <State {...shown} view={view} seen={seen} />
            <Story {...shown} seen={seen} />
          </>
        )}
      </div>
      <div className="column">
        {hasState && <Assurances {...shown} seen={seen} />}
        <Ordered {...shown} />
        {pay && !isAsking && <OrderActions hasOtherMethods={others.length > 0} pay={pay} />}
      </div>
    </div>
  )
}

const asks = (view: WaitingView) => view !== "pay" && view !== "paid"

/** What has happened to the order, and what is to come. */
function Story({ order, timeline, left, timeZone, texts, seen }: Waiting & { seen: boolean }) {
  const { t } = useTranslation()
  return (
    <section className="card story">
      <h2>{t("waiting.story")}</h2>
      <Timeline
        events={timeline}
        timeZone={timeZone}
        ahead={useAhead({ order, left, seen, outcome: texts.outcome })}
      />
    </section>
  )
}

/** What is bought, and what of it is paid. Nothing is left to pay of an expired order. */
function Ordered({ order, left, buying, accountCredit, texts, orderEmail }: Waiting) {
  return (
    <OrderContents
      buying={buying}
      lines={order.lines}
      total={order.total}
      paid={[
        { label: buying.texts.credit, amount: accountCredit },
        { label: buying.texts.received, amount: order.received },
      ]}
      due={order.status === "expired" ? null : { label: buying.texts.left, amount: left }}
      orderId={order.id}
      proforma={texts.proforma}
    >
      {orderEmail}
    </OrderContents>
  )
}

type Stated = Waiting & { view: WaitingView; seen: boolean }

/** The state in one sentence, and its one action. */
function State({ view, seen, ...shown }: Stated) {
  const { order, pay, texts, error, accessPath } = shown
  if (order.status === "expired") {
    return (
      <section className="card">
        <ExpiredOrder lead={texts.lead} didPay={texts.didPay} />
      </section>
    )
  }
  if (view === "paid" && !seen && pay && (!pay.ended || pay.expired))
    return <LookingForPayment looking={texts.looking} />
  return (
    <section className="card pay-card">
      {shown.notes.map((note) => (
        <p key={note} className="notice plain">
          {note}
        </p>
      ))}
      <Headline {...shown} view={view} seen={seen} />
      {pay && !asks(view) && (
        <Payment received={order.received} pay={pay} seen={seen} error={error} texts={texts} />
      )}
      {accessPath && <BackToAccess path={accessPath} kind={order.kind} />}
    </section>
  )
}

function Headline(stated: Stated) {
  const { order, seen, left } = stated
  const { received } = order
  const { step, sums } = useNextStep({ order, left, seen })
  const { heading, lead } = useSentences(stated)
  return (
    <>
      <div aria-live="polite">
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
      </div>
      {received.minor > 0 ? (
        <progress max={received.minor + left.minor} value={received.minor} aria-label={sums ?? step} />
      ) : (
        <progress max={3} value={seen ? 2 : 1} aria-label={step} />
      )}
    </>
  )
}

/** The state as heading and sentence. */
function useSentences({ seen, texts }: Stated) {
  const { t } = useTranslation()
  if (seen) return { heading: t("waiting.headingSeen"), lead: t("waiting.seen") }
  return { heading: texts.heading ?? t("waiting.heading"), lead: texts.lead }
}

/** Safe to close, until when to pay, and that the page looks by itself. */
function Assurances({ order, seen, texts, timeLeft, now, timeZone, ...shown }: Waiting & { seen: boolean }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const isKeptLonger = timeLeft.until < order.deadline
  if (order.status === "expired") return null
  return (
    <section className="card assurances">
      <p className="assurance">
        <ShieldIcon />
        <span>
          {order.kind === "reseller" ? t("waiting.leadReseller") : texts.safe}{" "}
          {shown.refreshSeconds !== null && t("waiting.watching")}
        </span>
      </p>
      <ReloadLink reloads={shown.reloads} />
      {!seen && (
        <p className="assurance">
          <ClockIcon />
          <span suppressHydrationWarning>
            <Countdown {...timeLeft} now={now} payBy={texts.payBy} />
            {isKeptLonger &&
              ` ${t("waiting.orderUntil", { moment: dateTimeText(order.deadline, locale, timeZone) })}`}
          </span>
        </p>
      )}
    </section>
  )
}

/** Link to the service, which an upsell's buyer can use already. */
function BackToAccess({ path, kind }: { path: string; kind: OrderKind }) {
  const { t } = useTranslation()
  return (
    <Link className="quiet" to={localPath(useLocale(), path)}>
      {t(kind === "reseller-credits" ? "resellers.account.mine" : "waiting.access")}
    </Link>
  )
}

type PaymentState = { order: WaitingOrder; left: Money; seen: boolean }

/** What the order waits for, and how much of it has arrived, if some has. */
function useNextStep({ order: { received }, left, seen }: PaymentState) {
  const { t } = useTranslation()
  const locale = useLocale()
  const sums =
    received.minor > 0
      ? t("waiting.received", {
          received: moneyText(received, locale),
          total: moneyText(plus(received, left), locale),
        })
      : null
  if (seen) return { step: t("waiting.confirming"), sums }
  return { step: t("waiting.toPay", { amount: moneyText(left, locale) }), sums }
}

/** Next steps; none for an expired order. */
function useAhead({ outcome, ...payment }: PaymentState & { outcome: string | null }) {
  const { status, kind } = payment.order
  const { t } = useTranslation()
  const { step, sums } = useNextStep(payment)
  if (status === "expired") return []
  return [
    { step, note: payment.seen ? null : sums },
    { step: outcome ?? t(outcomeOf[kind]), note: t("waiting.soon") },
  ]
}

/** Result of the payment by kind of order. */
const outcomeOf = {
  plan: "waiting.ready",
  line: "waiting.ready",
  reseller: "waiting.readyReseller",
  upsell: "waiting.added",
  renewal: "timeline.renewed",
  topup: "timeline.credit-added",
  "plan-change": "timeline.provisioned",
  "reseller-credits": "waiting.readyReseller",
} as const satisfies Record<OrderKind, string>
