import type { ComponentProps, ReactNode } from "react"
import { Link } from "react-router"
import { type Money, money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import { refundKinds, type TimelineEvent, type TimelineKind } from "~/domain/orders/timeline"
import { type RefusedForm, resultFor } from "~/domain/refused-form"
import { isStopped, type ShownService } from "~/domain/services/service"
import type { ShopLinks } from "~/domain/shop/shop-links"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import type { LawShown } from "../checkout/order-summary"
import { UnsentInput } from "../form/unsent-input"
import { AddressText } from "../layout/address-text"
import { DoneNotice } from "../layout/done-notice"
import { moneyText } from "../layout/format"
import { ReloadLink, type ReloadLinkView } from "../layout/reload-link"
import { SupportLink } from "../layout/support-link"
import { Timeline } from "../layout/timeline"
import { type UnpaidOrder, UnpaidOrderNotice } from "../layout/unpaid-order"
import { LastTerm } from "../renewal/last-term"
import { NextPlan, type NextPlanView } from "../renewal/plan-screen"
import { RenewalPanel, type RenewalView } from "../renewal/renewal-panel"
import { FoldedUpsellPanel, type UpsellOffer } from "../upsell/upsell-panel"
import { AccessCard } from "./credentials-card"
import { DeviceForm } from "./device-form"
import { PaymentsCard, type PaymentsView } from "./payments-card"
import { ServiceHead, type ServiceHeadView } from "./service-head"
import { ServiceList, type ServiceListed } from "./service-list"
import { NotesForm } from "./service-notes"
import { RecreateConfirm, ServiceTiles } from "./service-tiles"
import { SetupCard, type SetupView } from "./setup-card"

type SavedAction = "device" | "notes" | "restart" | "recreate" | "password"

type Success = {
  head: ServiceHeadView
  setup: SetupView
  /** Null: nothing has been paid. */
  payments: PaymentsView | null
  ifNotRenewed: { readonly heading: string; readonly days: readonly { day: string; text: string }[] } | null
  texts: {
    readonly details: string
    readonly qr: string
    readonly qrNote: string
    readonly register: string
    readonly email: string
    /** Why a renewal was refused whose form has gone. */
    readonly renewalGone: string
    /** What a paid change is doing; null: it adds connections. */
    readonly changing: string | null
    /** How a service that cost nothing is set up; null: it was paid. */
    readonly settingUp: string | null
    /** With the price; null: none can be added. */
    readonly addConnection: string | null
  }
  /** The order just paid; null on later visits. */
  order: { id: string; kind: OrderKind; total: Money } | null
  /** The e-mail of the order just paid; null without an order. */
  orderEmail: ReactNode
  /** That e-mail. */
  address: string | null
  /** It is to be corrected, or mail to it comes back. */
  isEmailOpen: boolean
  /** An unpaid order for the service. */
  unpaid: UnpaidOrder | null
  service: ShownService
  ready: boolean
  /** Provisioning has failed so far and is being retried. */
  delayed: boolean
  /** Null: nothing is being set up. */
  reloads: ReloadLinkView | null
  /** A paid change is in progress. */
  unsettled: boolean
  timeline: readonly TimelineEvent[]
  timeZone: string
  services: readonly ServiceListed[]
  playlistPath: string
  /** Playlist URL for players; null until the service is provisioned. */
  playlistAddress: string | null
  /** Its QR code, as an SVG element. */
  playlistQr: string | null
  links: ShopLinks
  /** The action just completed. */
  done: SavedAction | null
  /** Says so; null: a form says it, or nothing has been done. */
  doneText: string | null
  confirming: "recreate" | null
  /** The answer to the form that was refused. */
  lastResult: RefusedForm | null | undefined
  /** The action that the panel did not confirm: nothing has changed. */
  failed: "device" | "restart" | "recreate" | null
  upsell: UpsellOffer | null
  /** The URL asks for a number of connections. */
  isUpsellOpen: boolean
  /** What the law of the visitor's country adds to an order of connections. */
  law?: LawShown
  /** Null: the service cannot be renewed here. */
  renewal: RenewalView | null
  /** What is said of its plan: the one that follows, and the way to change it. */
  planPart: {
    readonly next: NextPlanView | null
    readonly change: { readonly text: string; readonly path: string } | null
  }
  /** Its product is not renewed any more; null: it is. */
  lastTerm: ComponentProps<typeof LastTerm> | null
  /** Account forms at the end of the page. */
  passwordForm: ReactNode
  /** Link to the account; null unless the customer is signed in. */
  accountLink: { readonly text: string; readonly path: string } | null
}

/** Service page: status and renewal, login details, set-up. Until the service is provisioned, it shows the progress. */
export function SuccessScreen(shown: Success) {
  const { unpaid, service, services, ready } = shown
  return (
    <div className={ready ? "service two-columns" : "narrow service"}>
      <UnsentInput page={service.id} />
      <Outcome {...shown} />
      {/* Before the renewal, which could be taken for the way to pay it. */}
      <UnpaidOrderNotice order={unpaid} />
      <Top {...shown} />
      <Surprises {...shown} />
      {services.length > 1 && <ServiceList services={services} shown={service.id} />}
      {!isStopped(service) && <Progress {...shown} />}
      {ready ? <Working {...shown} /> : <Stopped {...shown} />}
      {shown.accountLink && (
        <Link className="quiet account-link" to={shown.accountLink.path}>
          {shown.accountLink.text}
        </Link>
      )}
    </div>
  )
}

/** What the order has paid, and its number; a free trial has paid nothing. */
function usePaidText(order: Success["order"]): string | null {
  const { t } = useTranslation()
  const locale = useLocale()
  if (!order) return null
  const { id, total } = order
  return total.minor === 0
    ? t("waiting.order", { order: id })
    : t("success.paid", { paid: moneyText(total, locale), order: id })
}

function Top(shown: Success) {
  const { head, service, ready, order, renewal, lastTerm, lastResult, ifNotRenewed, texts } = shown
  const { t } = useTranslation()
  const heading = head.heading ?? t(ready ? "success.heading" : "success.preparing")
  const paid = usePaidText(order)
  return (
    <>
      {/* Its form, which would say why, has gone too. */}
      {!renewal && resultFor("renew", lastResult) && (
        <p className="problem" role="alert">
          {texts.renewalGone}
        </p>
      )}
      <ServiceHead head={head} heading={heading} paid={head.isFirst && paid} service={service}>
        {renewal && <RenewalPanel key={`renewal ${service.id}`} renewal={renewal} lastResult={lastResult} />}
        <PlanNotes {...shown.planPart} />
        {lastTerm && <LastTerm {...lastTerm} />}
        {isStopped(service) && !renewal && <SupportLink />}
      </ServiceHead>
      {ifNotRenewed && (
        <section className="card">
          <h2>{ifNotRenewed.heading}</h2>
          <dl className="days">
            {ifNotRenewed.days.map(({ day, text }) => (
              <div key={day}>
                <dt>{day}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

/** The plan that follows, and the way to change the plan. */
function PlanNotes({ next, change }: Success["planPart"]) {
  return (
    <>
      {next && <NextPlan next={next} />}
      {change && (
        <Link className="quiet" to={change.path} reloadDocument>
          {change.text}
        </Link>
      )}
    </>
  )
}

/** Outcome of the action just tried. */
function Outcome({ ready, doneText, failed }: Success) {
  const { t } = useTranslation()
  return (
    <>
      <DoneNotice text={ready ? doneText : null} />
      {failed && (
        <div className="problems" role="alert">
          <p>{t(`success.failed.${failed}`)}</p>
        </div>
      )}
    </>
  )
}

function Progress(shown: Success) {
  const { ready, unsettled, order, delayed, timeline, timeZone } = shown
  const { changing, settingUp } = shown.texts
  const { t } = useTranslation()
  if (ready && !unsettled) return null
  return (
    <section className="card" aria-live="polite">
      <p>{(ready ? changing : settingUp) ?? t(`success.${progressOf(shown)}`)}</p>
      <ReloadLink reloads={shown.reloads} />
      {!ready && order && (
        <Timeline
          events={timeline}
          timeZone={timeZone}
          ahead={[{ step: t("waiting.ready"), note: delayed || settingUp ? null : t("waiting.soon") }]}
        />
      )}
    </section>
  )
}

const surprising: readonly TimelineKind[] = ["late", "overpaid", "part-credited", ...refundKinds]

/** Notices about unusual payments of the order: late, overpaid, credited. */
function Surprises({ order, timeline }: Success) {
  const { t } = useTranslation()
  const locale = useLocale()
  const events = order ? timeline.filter(({ kind }) => surprising.includes(kind)) : []
  return events.map(({ kind, amount, at }) => (
    <p key={`${kind} ${at}`} className={kind.startsWith("refunded") ? "notice plain" : "notice"}>
      {t(`timeline.${kind}`)}
      {/* A refund is an amount below zero. */}
      {amount && `\u00a0·\u00a0${moneyText(money(Math.abs(amount.minor), amount.currency), locale)}`}
    </p>
  ))
}

/** The step in progress. A service that was active before is being recreated. */
function progressOf({ ready, delayed, done, timeline }: Success) {
  if (ready) return "adding"
  if (delayed) return "delayed"
  return done === "recreate" || timeline.some(({ kind }) => kind === "recreated") ? "anew" : "soon"
}

/** Without login details: the e-mail, and the payments of a service that has worked. */
function Stopped({ orderEmail, payments, service }: Success) {
  return (
    <>
      {orderEmail && <div className="card">{orderEmail}</div>}
      {payments && isStopped(service) && <PaymentsCard payments={payments} />}
    </>
  )
}

function Working(shown: Success) {
  const {
    service,
    links,
    confirming,
    lastResult,
    upsell,
    texts,
    setup,
    passwordForm,
    isUpsellOpen,
    payments,
  } = shown
  return (
    <>
      <div className="column">
        <AccessCard {...shown} />
        <SetupCard setup={setup}>
          <DeviceForm
            key={`device ${service.id}`}
            service={service}
            summary={texts.register}
            lastResult={lastResult}
          />
        </SetupCard>
      </div>
      <div className="column">
        {upsell && texts.addConnection && (
          <FoldedUpsellPanel
            key={`upsell ${service.id}`}
            offer={upsell}
            law={shown.law}
            lastResult={lastResult}
            summary={texts.addConnection}
            isOpen={isUpsellOpen}
          />
        )}
        {payments && <PaymentsCard payments={payments} />}
        {confirming === "recreate" ? (
          <RecreateConfirm serviceId={service.id} />
        ) : (
          <ServiceTiles serviceId={service.id} links={links} />
        )}
        <Folds {...shown} />
        {passwordForm}
      </div>
    </>
  )
}

/** What is rarely needed, folded. */
function Folds({
  service,
  lastResult,
  orderEmail,
  address,
  isEmailOpen,
  texts,
  timeline,
  timeZone,
}: Success) {
  const { t } = useTranslation()
  return (
    <section className="card folded">
      {orderEmail && (
        <details open={isEmailOpen || resultFor("email", lastResult) != null}>
          <summary>
            <span>
              {texts.email} <small>{address && <AddressText text={address} />}</small>
            </span>
          </summary>
          {orderEmail}
        </details>
      )}
      <NotesForm key={`notes ${service.id}`} service={service} lastResult={lastResult} />
      <details>
        <summary>{t("waiting.story")}</summary>
        <Timeline events={timeline} timeZone={timeZone} ahead={[]} />
      </details>
    </section>
  )
}
