import type { ServiceDetails } from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { isCurrency, type Money, money } from "~/domain/money/money"
import type { NextPlan } from "~/domain/services/plan-change"
import type { ServiceAction } from "~/domain/services/service-actions"
import type { ServiceEvent } from "~/domain/services/service-event"
import { isTrial } from "~/domain/services/term"
import { serviceEventTexts, consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import {
  type ActionNotice,
  FormKey,
  FormNotice,
  type ProofAsked,
  ProofFields,
  ReasonField,
} from "../form-parts.server"
import { Fact } from "../list-parts.server"
import { customerHref, orderHref } from "../record-links.server"
import { paidUntilText, ServicePill } from "./services-screen.server"

type ShownService = Omit<ServiceDetails["service"], "password">

export type ServiceScreenProps = {
  view: Omit<ServiceDetails, "service"> & {
    readonly service: ShownService
    readonly renewalPrice: Money | null
    readonly announced: { readonly price: Money; readonly from: number } | null
    readonly worksUntil: Instant | null
    readonly next: NextPlan | null
  }
  /** What the state of the service allows to the operator. */
  actions: readonly ServiceAction[]
  /** Those that need password and code. */
  provenActions: readonly ServiceAction[]
  /** An external billing has the term and the state of the service. */
  isElsewhere: boolean
  mayUncover: boolean
  /** Login details, on the answer to the form that uncovers them. */
  credentials: ShownCredentials | null
  /** What the operator sees: an action on another state is refused. */
  seen: string
  /** A new key for each form. */
  newKey: () => string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: TypedServiceForm | null
  timeZone: string
}

export type ShownCredentials = {
  readonly username: string
  readonly password: string
  readonly host: string | null
  readonly playlistAddress: string | null
}

export type TypedServiceForm = {
  readonly action: string
  readonly reason: string
  readonly days?: string | undefined
  readonly device?: string | undefined
  readonly connections?: string | undefined
  readonly price?: string | undefined
  readonly from?: string | undefined
}

/** One service: what it is, what has happened, and what can be done. */
export function ServiceScreen(props: ServiceScreenProps) {
  const { view, notice } = props
  return (
    <>
      <div>
        <p>
          <a href={consoleHref("/admin/services")}>{t("services.title")}</a>
        </p>
        <div className="title">
          <h1>{t("service.title", { name: view.service.name })}</h1>
          <ServicePill status={view.service.status} />
        </div>
      </div>
      <FormNotice notice={notice} />
      <div className="with-side">
        <div>
          <Facts {...props} />
        </div>
        <div>
          <Actions {...props} />
          <Credentials {...props} />
        </div>
        <div>
          <Timeline {...props} />
          <Jobs {...props} />
        </div>
      </div>
    </>
  )
}

function endText(service: ShownService, timeZone: string): string {
  const day = paidUntilText(service, timeZone)
  return service.paidUntil !== null && isTrial(service.term) ? t("service.trialEnd", { day }) : day
}

function Facts(props: ServiceScreenProps) {
  const { view, timeZone } = props
  const { service, email, createdAt } = view
  return (
    <section className="card">
      <dl className="facts">
        <Fact name="service.customer">
          <a href={customerHref(service.customerId)}>{email}</a>
        </Fact>
        <Fact name="service.end">{endText(service, timeZone)}</Fact>
        <Fact name="service.order">
          <a href={orderHref(service.orderId)}>{service.orderId}</a>
        </Fact>
        <Fact name="service.created">{localText(createdAt, timeZone)}</Fact>
        <Fact name="service.cycle">{service.cycle ?? "–"}</Fact>
        <Fact name="service.connections">{service.connections}</Fact>
        <Fact name="service.device">{deviceText(service)}</Fact>
        <Fact name="service.proxy">{t(service.proxyProtection ? "service.yes" : "service.no")}</Fact>
        <Fact name="service.number">{service.id}</Fact>
        <Particulars {...props} />
      </dl>
    </section>
  )
}

function deviceText({ deviceAddress, deviceRequested: device }: ShownService): string {
  const registered = deviceAddress ?? t("service.noDevice")
  return device === null ? registered : t("service.deviceRequested", { registered, device })
}

/** What only some services have. */
function Particulars({ view, timeZone }: ServiceScreenProps) {
  const { service, notBefore, next, worksUntil } = view
  const prices = pricesText(view, timeZone)
  const { suspension, declinedAt, balanceRenewal, notes } = service
  return (
    <>
      {suspension && (
        <Fact name="service.suspension">
          {t("service.suspendedBy", {
            at: localText(suspension.at, timeZone),
            owner: t(`service.owners.${suspension.owner}`),
            reason: suspension.reason ?? t("service.noReason"),
          })}
        </Fact>
      )}
      {prices !== "" && <Fact name="service.price">{prices}</Fact>}
      {next && <Fact name="service.next">{nextText(next, service, timeZone)}</Fact>}
      {declinedAt !== null && (
        <Fact name="service.declined">{declinedText({ declinedAt, worksUntil }, timeZone)}</Fact>
      )}
      {balanceRenewal && <Fact name="service.balanceRenewal">{t("service.yes")}</Fact>}
      {notBefore !== null && <Fact name="service.notBefore">{localText(notBefore, timeZone)}</Fact>}
      {notes !== "" && (
        <Fact name="service.customerNotes">
          <span className="note">{notes}</span>
        </Fact>
      )}
    </>
  )
}

type Declined = { readonly declinedAt: Instant; readonly worksUntil: Instant | null }

/** "As said 2026-11-20 12:00; works until 2026-12-23 12:00". */
function declinedText({ declinedAt, worksUntil }: Declined, timeZone: string): string {
  const at = localText(declinedAt, timeZone)
  return worksUntil === null
    ? t("service.declinedAt", { at })
    : t("service.declinedUntil", { at, end: localText(worksUntil, timeZone) })
}

/** "€59.00", or "€59.00; €65.00 from 2027-03-01 00:00" where another one is announced; empty without either. */
function pricesText(
  { renewalPrice, announced }: Pick<ServiceScreenProps["view"], "renewalPrice" | "announced">,
  timeZone: string,
): string {
  const announcedText =
    announced &&
    t("service.announced", { price: amountText(announced.price), day: localText(announced.from, timeZone) })
  return [renewalPrice && amountText(renewalPrice), announcedText].filter(Boolean).join("; ")
}

/** "12 months, annually, at €59.00, from 2026-12-24 10:00". */
function nextText(
  { name, cycle, price, startsAt }: NextPlan,
  { paidUntil }: Pick<ShownService, "paidUntil">,
  timeZone: string,
): string {
  const from = startsAt ?? paidUntil
  const day = from === null ? t("service.endless") : localText(from, timeZone)
  const text = startsAt === null ? "service.nextPlan" : "service.nextPlanPaid"
  return t(text, { plan: name, cycle, price: amountText(price), day })
}

function Timeline({ view: { events }, timeZone }: ServiceScreenProps) {
  return (
    <section className="card">
      <h2>{t("service.timeline")}</h2>
      {events.length === 0 ? (
        <p>{t("service.timelineEmpty")}</p>
      ) : (
        <ol className="rows timeline">
          {events.map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two events may be equal
            <li key={index}>
              <div className="grow">
                <strong>{serviceEventTexts[event.kind]}</strong>
                {event.detail && <p>{detailText(event.detail, timeZone)}</p>}
              </div>
              <time dateTime={new Date(event.at).toISOString()}>{localText(event.at, timeZone)}</time>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const instants = ["paidUntil", "from", "until"]

type Detail = NonNullable<ServiceEvent["detail"]>

function detailText(detail: Detail, timeZone: string): string {
  return Object.entries(detail)
    .filter(([name]) => name !== "currency")
    .map(([name, value]) => detailPart(name, value, { detail, timeZone }))
    .join(", ")
}

function detailPart(
  name: string,
  value: string | number,
  { detail, timeZone }: { detail: Detail; timeZone: string },
): string {
  if (name === "reason") return String(value)
  if (name === "price") return priceText(Number(value), String(detail.currency))
  if (!instants.includes(name)) return `${name} ${value}`
  const day = localText(Number(value), timeZone)
  return name === "paidUntil" ? t("service.until", { day }) : `${name} ${day}`
}

function priceText(minor: number, currency: string): string {
  return isCurrency(currency) ? amountText(money(minor, currency)) : String(minor)
}

function Jobs({ view: { jobs } }: ServiceScreenProps) {
  if (jobs.length === 0) return null
  return (
    <section className="card">
      <h2>{t("service.jobs")}</h2>
      <ul className="rows">
        {jobs.map(({ id, topic, state, tries, reason }) => (
          <li key={id}>
            <div className="grow">
              <strong>
                {t("service.job", {
                  topic: t(`jobs.topics.${topic}`),
                  state: t(`jobs.progress.${state}`),
                  count: tries,
                })}
              </strong>
              {reason && <p>{reason}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const priceActions: readonly ServiceAction[] = ["move-price", "keep-price"]
const destroying: readonly ServiceAction[] = ["recreate-service", "suspend-service", "terminate-service"]

function Actions(props: ServiceScreenProps) {
  const { view, actions, provenActions, isElsewhere, newKey, seen, proof, typed } = props
  return (
    <section className="card">
      <h2>{t("action.title")}</h2>
      {isElsewhere && <p>{t("service.elsewhere")}</p>}
      {actions.length === 0 && <p>{t("action.nothing")}</p>}
      {actions.map((action) => (
        <ActionForm
          key={action}
          action={action}
          name={t(`service.action.${action}.name`)}
          now={nowText(props, action)}
          after={t(`service.action.${action}.after`)}
          formKey={newKey()}
          seen={seen}
          refused={typed?.action === action ? typed : null}
          proof={provenActions.includes(action) ? proof : null}
          destroys={destroying.includes(action)}
        >
          <ActionFields action={action} view={view} typed={typed?.action === action ? typed : null} />
        </ActionForm>
      ))}
    </section>
  )
}

function nowText({ view, timeZone }: ServiceScreenProps, action: ServiceAction): string {
  const { service } = view
  const prices = pricesText(view, timeZone)
  if (priceActions.includes(action) && prices !== "") return prices
  const status = t(`service.statuses.${service.status}`)
  return service.paidUntil === null
    ? status
    : `${status}, ${t("service.until", { day: localText(service.paidUntil, timeZone) })}`
}

type ActionFieldsProps = Pick<ServiceScreenProps, "view" | "typed"> & { action: ServiceAction }

function ActionFields({ action, view: { service }, typed }: ActionFieldsProps) {
  switch (action) {
    case "extend-service":
      return <TextField id="days" name="days" label={t("service.days")} value={typed?.days} maxLength={5} />
    case "set-device":
      return <TextField id="device" name="device" label={t("service.deviceAddress")} value={typed?.device} />
    case "set-connections":
      return (
        <TextField
          id="connections"
          name="connections"
          label={t("service.connectionCount")}
          value={typed?.connections ?? String(service.connections)}
          inputMode="numeric"
          maxLength={3}
        />
      )
    case "move-price":
      return (
        <>
          <TextField
            id="price"
            name="price"
            label={t("service.newPrice")}
            value={typed?.price}
            inputMode="decimal"
            maxLength={20}
          />
          <TextField id="from" name="from" label={t("service.from")} value={typed?.from} type="date" />
        </>
      )
    default:
      return null
  }
}

function Credentials({ view: { service }, credentials, mayUncover, ...props }: ServiceScreenProps) {
  return (
    <section className="card">
      <h2>{t("service.credentials")}</h2>
      {credentials ? (
        <Uncovered {...credentials} />
      ) : (
        <>
          <dl className="facts">
            <Fact name="service.username">{service.username}</Fact>
            <Fact name="service.password">••••••••</Fact>
            <Fact name="service.host">{service.host ?? t("service.notSetUp")}</Fact>
          </dl>
          {mayUncover && <UncoverForm {...props} />}
        </>
      )}
    </section>
  )
}

function Uncovered({ username, password, host, playlistAddress }: ShownCredentials) {
  return (
    <>
      <p>{t("service.shownOnce")}</p>
      <dl className="facts">
        <Fact name="service.username">
          <span className="mono">{username}</span>
        </Fact>
        <Fact name="service.password">
          <span className="mono">{password}</span>
        </Fact>
        <Fact name="service.host">{host ?? t("service.notSetUp")}</Fact>
        {playlistAddress !== null && (
          <Fact name="service.playlist">
            <span className="mono">{playlistAddress}</span>
          </Fact>
        )}
      </dl>
    </>
  )
}

function UncoverForm({ newKey, proof, typed }: Pick<ServiceScreenProps, "newKey" | "proof" | "typed">) {
  const action = "show-credentials"
  const isRefused = typed?.action === action
  return (
    <details className="action" open={isRefused}>
      <summary>{t("service.show")}</summary>
      <form method="post">
        <FormKey value={newKey()} />
        <input type="hidden" name="action" value={action} />
        <p>{t("service.covered")}</p>
        <ReasonField id="uncover-reason" value={isRefused ? typed.reason : ""} />
        <ProofFields isProven={proof.isProven} problem={isRefused ? proof.problem : null} form="uncover" />
        <button className="button main" type="submit">
          {t("service.show")}
        </button>
      </form>
    </details>
  )
}
