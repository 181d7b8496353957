import { type ReactNode, useState } from "react"
import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import { upsellPath } from "~/domain/orders/screen-paths"
import type { TimelineEvent } from "~/domain/orders/timeline"
import type { RefusedForm } from "~/domain/refused-form"
import type { NamedResellerCredits } from "~/domain/services/reseller-credits"
import type { Service } from "~/domain/services/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Credential } from "../layout/credential"
import { DoneNotice } from "../layout/done-notice"
import { CheckIcon } from "../layout/icons"
import { ReloadLink, type ReloadLinkView } from "../layout/reload-link"
import { SupportLink } from "../layout/support-link"
import { Timeline } from "../layout/timeline"
import { type UnpaidOrder, UnpaidOrderNotice } from "../layout/unpaid-order"
import { ServiceList, type ServiceListed } from "../success/service-list"
import type { LineListView } from "./line-list"
import { LineMessage, type LineMessageView } from "./line-message"
import { LineCard } from "./lines-card"
import { ResellerCreditsCard, type StatementView } from "./reseller-credits-card"

type Shown = {
  /** The order just paid; null on later visits. `isPaid`: no more after a full refund. `opensAccount`: it is that of the first plan. `done`: what has become of it; null: the account. */
  order: { text: string; isPaid: boolean; opensAccount: boolean; done: string | null } | null
  /** An unpaid upsell of the service, or another plan that is not paid yet. */
  unpaid: UnpaidOrder | null
  service: Service
  ready: boolean
  delayed: boolean
  /** A paid change is in progress. */
  unsettled: boolean
  /** What to do about a service that was stopped; null: it was not, or the shop has no support. */
  stopped: string | null
  timeline: readonly TimelineEvent[]
  timeZone: string
  services: readonly ServiceListed[]
  /** Null for signed-out visitors. */
  resellerCredits: NamedResellerCredits | null
  lines: LineListView
  /** The message for a customer that has been opened. */
  message: LineMessageView | null
  statement: StatementView
  /** Why the last change of a line was refused. */
  refusal: string | null
  /** Idempotency key of the form that creates a line. */
  formKey: string
  /** Null: nothing is being set up. */
  reloads: ReloadLinkView | null
  /** What is said of the order that was cancelled; null: nothing. */
  cancelled: string | null
  /** A line has just been created. */
  made: boolean
  /** The answer to the form that was refused. */
  lastResult: RefusedForm | null | undefined
  /** Null: the visitor has no password to choose. */
  passwordForm: ReactNode
}

/** A reseller's page: panel account, next steps, credits and lines. */
export function ResellerSuccessScreen(shown: Shown) {
  const {
    unpaid,
    service,
    services,
    ready,
    delayed,
    unsettled,
    stopped,
    timeline,
    timeZone,
    made,
    cancelled,
  } = shown
  const { t } = useTranslation()
  const settingUp = delayed ? "success.delayed" : "resellers.success.soon"
  return (
    <div className="narrow service">
      <Heading {...shown} />
      <DoneNotice text={made ? t("resellers.line.made") : cancelled} />
      <UnpaidOrderNotice order={unpaid} />
      {services.length > 1 && <ServiceList services={services} shown={service.id} />}
      {unsettled && (
        <section className="card" aria-live="polite">
          <p>{t(ready ? "success.adding" : settingUp)}</p>
          <ReloadLink reloads={shown.reloads} />
        </section>
      )}
      {stopped && (
        <section className="card">
          <p>{stopped}</p>
          <SupportLink />
        </section>
      )}
      {ready && <Working {...shown} />}
      <section className="card folded">
        <details>
          <summary>{t("waiting.story")}</summary>
          <Timeline
            events={timeline}
            timeZone={timeZone}
            ready={shown.order?.done ?? t("waiting.readyReseller")}
            ahead={[]}
          />
        </details>
      </section>
      {shown.passwordForm}
    </div>
  )
}

function Heading({ order, service, ready }: Shown) {
  const { t } = useTranslation()
  const isNew = order?.opensAccount ?? false
  return (
    <header className={ready ? "done" : "done pending"}>
      {order?.isPaid && <CheckIcon />}
      <div aria-live="polite">
        <h1>{t(headingOf({ isNew, status: service.status }))}</h1>
        <p className="lead">
          {order && `${order.text} · `}
          {service.name} · {t(`success.status.${service.status}`)}
          {service.connections > 1 && ` · ${t("success.connections", { count: service.connections })}`}
        </p>
      </div>
    </header>
  )
}

/** Only the page of a first plan just paid says that it is ready. One that was paused or has ended is not being set up. */
function headingOf({ isNew, status }: Pick<Service, "status"> & { isNew: boolean }) {
  if (status === "Pending") return "resellers.success.preparing"
  return isNew && status === "Active" ? "resellers.success.heading" : "title.resellerSuccess"
}

/** A new reseller needs the account at the panel first, later visits are about credits and customers. */
function Working(shown: Shown) {
  const { order, resellerCredits } = shown
  // For as long as the page is open: the form that makes the first line must not move.
  const [isNew] = useState(order?.opensAccount ?? false)
  if (resellerCredits === null) {
    return (
      <>
        <PanelCredentialsCard {...shown} />
        <SignInFirst />
      </>
    )
  }
  return (
    <>
      {isNew && <PanelCredentialsCard {...shown} />}
      <Business {...shown} resellerCredits={resellerCredits} />
      {!isNew && <PanelCredentialsCard {...shown} />}
    </>
  )
}

/** Credits and the customers' lines. */
function Business(shown: Shown & { resellerCredits: NamedResellerCredits }) {
  const { service, resellerCredits, lines, message, statement, refusal, formKey, lastResult, timeZone } =
    shown
  return (
    <>
      <ResellerCreditsCard resellerCredits={resellerCredits} statement={statement} timeZone={timeZone} />
      {message && <LineMessage key={message.heading} view={message} />}
      <LineCard
        lines={lines}
        refusal={refusal}
        lastResult={lastResult}
        formKey={formKey}
        serviceId={service.id}
        balance={resellerCredits.balance}
      />
    </>
  )
}

function PanelCredentialsCard({ service, resellerCredits }: Shown) {
  const { t } = useTranslation()
  const locale = useLocale()
  const panel = service.host ?? ""
  return (
    <section className="card access">
      <h2>{t("resellers.success.account")}</h2>
      <div className="credentials">
        <Credential label={t("resellers.success.name")} value={service.username} />
        <Credential label={t("success.password")} value={service.password} secret />
        <Credential label={t("resellers.success.panel")} value={panel} />
      </div>
      <a className="main button" href={panel} rel="noreferrer" target="_blank">
        {t("resellers.success.open")}
      </a>
      <h3>{t("resellers.success.next")}</h3>
      <ol className="next">
        <li>{t("resellers.success.step1")}</li>
        <li>{t("resellers.success.step2")}</li>
        <li>{t("resellers.success.step3")}</li>
      </ol>
      {resellerCredits && (
        <Link className="button" to={localPath(locale, `${upsellPath}?serviceid=${service.id}`)}>
          {t("upsell.heading")}
        </Link>
      )}
    </section>
  )
}

/** For signed-out visitors: the order shows the credentials, but credits belong to the account. */
function SignInFirst() {
  const { t } = useTranslation()
  return (
    <section className="card">
      <p>{t("resellers.success.signIn")}</p>
      <Link className="button" to="?signin" reloadDocument>
        {t("frame.signIn")}
      </Link>
    </section>
  )
}
