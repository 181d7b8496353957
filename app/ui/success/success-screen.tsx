import type { ReactNode } from "react"
import type { RefusedForm } from "~/domain/forms/refused-form"
import type { Money } from "~/domain/money"
import { isStopped, type Service } from "~/domain/service"
import type { PlayerLink, ShopLinks } from "~/domain/shop/shop-links"
import type { TimelineEvent, TimelineKind } from "~/domain/timeline"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText } from "../layout/format"
import { CheckIcon } from "../layout/icons"
import { planName } from "../layout/plan-name"
import { Timeline } from "../layout/timeline"
import { RenewalPanel, type RenewalView } from "../renewal/renewal-panel"
import { type UpsellOffer, UpsellPanel } from "../upsell/upsell-panel"
import { AccessCard } from "./credentials-card"
import { DeviceForm } from "./device-form"
import { PaidUntil } from "./paid-until"
import { ServiceList, type ServiceListed } from "./service-list"
import { NotesForm } from "./service-notes"
import { RecreateConfirm, ServiceTiles } from "./service-tiles"
import { type UnpaidOrder, UnpaidOrderNotice } from "./unpaid-order"

type SavedAction = "device" | "notes" | "restart" | "recreate" | "password"

type Success = {
  /** The order just paid; null on later visits. */
  order: { id: string; total: Money } | null
  /** The e-mail of the order just paid. */
  orderEmail: ReactNode
  /** An unpaid upsell of the service. */
  unpaid: UnpaidOrder | null
  service: Service
  ready: boolean
  /** Provisioning has failed so far and is being retried. */
  delayed: boolean
  /** A paid change is in progress. */
  unsettled: boolean
  timeline: readonly TimelineEvent[]
  timeZone: string
  services: readonly ServiceListed[]
  playlistPath: string
  /** Playlist URL for players; null until the service is provisioned. */
  playlistAddress: string | null
  /** Its QR code for print, as an SVG document. */
  playlistQr: string | null
  apps: readonly PlayerLink[]
  links: ShopLinks
  /** The action just completed. */
  done: SavedAction | null
  confirming: "recreate" | null
  /** The answer to the form that was refused. */
  lastResult: RefusedForm | null | undefined
  /** The action that the panel did not confirm: nothing has changed. */
  failed: "device" | "restart" | "recreate" | null
  upsell: UpsellOffer | null
  /** Null: the service cannot be renewed here. */
  renewal: RenewalView | null
  /** The end is near or over: the renewal comes first. */
  isRenewalDue: boolean
  /** Heading and notes of a stopped or just renewed service; null: the usual ones. */
  standing: { readonly heading: string; readonly notes: readonly string[] } | null
  /** Account forms at the end of the page. */
  passwordForm: ReactNode
}

/** Service page: login details, playlist and apps. Until the service is provisioned, it shows the progress. */
export function SuccessScreen(shown: Success) {
  const { unpaid, service, services, ready } = shown
  return (
    <div className="narrow service">
      <Heading {...shown} />
      <Outcome {...shown} />
      {shown.orderEmail}
      <Surprises {...shown} />
      <UnpaidOrderNotice order={unpaid} />
      {services.length > 1 && (
        <ServiceList services={services} shown={service.id} timeZone={shown.timeZone} />
      )}
      {(isStopped(service) || shown.isRenewalDue) && <Renewal {...shown} />}
      {!isStopped(service) && <Progress {...shown} />}
      {ready && <Working {...shown} />}
    </div>
  )
}

/** Outcome of the action just tried. */
function Outcome({ ready, done, failed }: Success) {
  const { t } = useTranslation()
  return (
    <>
      {ready && done && done !== "password" && (
        <p className="told" role="status">
          {t(`success.done.${done}`)}
        </p>
      )}
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
  const { t } = useTranslation()
  if (ready && !unsettled) return null
  return (
    <section className="card" aria-live="polite">
      <p>{t(`success.${progressOf(shown)}`)}</p>
      {!ready && order && (
        <Timeline
          events={timeline}
          timeZone={timeZone}
          ahead={[{ step: t("waiting.ready"), note: delayed ? null : t("waiting.soon") }]}
        />
      )}
    </section>
  )
}

function Renewal({ renewal, lastResult, service }: Success) {
  return renewal && <RenewalPanel key={`renewal ${service.id}`} renewal={renewal} lastResult={lastResult} />
}

const surprising: readonly TimelineKind[] = ["late", "overpaid", "refunded"]

/** Notices about unusual payments of the order: late, overpaid, credited. */
function Surprises({ order, timeline }: Success) {
  const { t } = useTranslation()
  const locale = useLocale()
  const events = order ? timeline.filter(({ kind }) => surprising.includes(kind)) : []
  return events.map(({ kind, amount, at }) => (
    <p key={`${kind} ${at}`} className="told">
      {t(`timeline.${kind}`)}
      {amount && ` · ${moneyText(amount, locale)}`}
    </p>
  ))
}

/** The step in progress. A service that was active before is being recreated. */
function progressOf({ ready, delayed, done, timeline }: Success) {
  if (ready) return "adding"
  if (delayed) return "delayed"
  return done === "recreate" || timeline.some(({ kind }) => kind === "recreated") ? "anew" : "soon"
}

function Heading({ order, service, ready, timeZone, standing }: Success) {
  const { t } = useTranslation()
  const locale = useLocale()
  const paid = order && t("success.paid", { paid: moneyText(order.total, locale), order: order.id })
  return (
    <header className={ready ? "done" : "done pending"}>
      <CheckIcon />
      <div aria-live="polite">
        <h1>{standing?.heading ?? t(ready ? "success.heading" : "success.preparing")}</h1>
        <p className="lead">
          {paid && `${paid} · `}
          {planName(service.name, locale)} · {t("success.connections", { count: service.connections })}
        </p>
        {service.paidUntil !== null && (
          <p className="lead">
            <PaidUntil paidUntil={service.paidUntil} timeZone={timeZone} />
          </p>
        )}
        {standing?.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </header>
  )
}

function Working(shown: Success) {
  const { service, links, confirming, lastResult, upsell, passwordForm, timeline, timeZone } = shown
  const { t } = useTranslation()
  return (
    <>
      <AccessCard {...shown} />
      <DeviceForm key={`device ${service.id}`} service={service} lastResult={lastResult} />
      {confirming === "recreate" ? (
        <RecreateConfirm serviceId={service.id} />
      ) : (
        <ServiceTiles serviceId={service.id} links={links} />
      )}
      {!shown.isRenewalDue && <Renewal {...shown} />}
      {upsell && <UpsellPanel key={`upsell ${service.id}`} offer={upsell} lastResult={lastResult} />}
      <NotesForm key={`notes ${service.id}`} service={service} lastResult={lastResult} />
      <section className="card folded">
        <details>
          <summary>{t("waiting.story")}</summary>
          <Timeline events={timeline} timeZone={timeZone} ahead={[]} />
        </details>
      </section>
      {passwordForm}
    </>
  )
}
