import { type ComponentProps, Fragment, type ReactNode } from "react"
import { DAY, type Day, HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { NEED_COUNT_LIMIT, type Need, type NeedKind, needKinds } from "~/domain/console/console-need"
import { localText } from "~/domain/local-time"
import { type Currency, money } from "~/domain/money/money"
import type { PurchaseStep } from "~/domain/orders/purchase-step"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormKey, FormNotice } from "../form-parts.server"
import { withGatewayNames } from "../gateway-name.server"
import { FirstDayLeft } from "./first-day-screen.server"
import { HourChart, percentText } from "./hour-chart.server"

type DayFigure = {
  readonly today: readonly number[]
  readonly lastWeek: readonly number[]
  readonly total: number
  readonly totalLastWeek: number
}

type OverviewProps = {
  /** Null for those who cannot set the shop up. */
  firstDay: Omit<ComponentProps<typeof FirstDayLeft>, "timeZone"> | null
  overview: {
    readonly now: Instant
    readonly today: Day
    readonly renewalsSince: Day
    readonly needs: readonly Need[]
    readonly orders: DayFigure
    readonly received: readonly (DayFigure & { readonly currency: Currency })[]
    readonly steps: readonly StepFigure[]
    readonly renewals: { readonly renewed: number; readonly ended: number }
  }
  /** Keys of the needs' forms, in their order. */
  keys: readonly string[]
  /** The signed-in operator's. */
  email: string
  mayTake: boolean
  notice: ActionNotice | null
  timeZone: string
}

type StepFigure = { readonly step: PurchaseStep; readonly count: number; readonly lastWeek: number }

/** What needs a person, then the figures of the day. */
export function OverviewScreen(props: OverviewProps) {
  const { overview, firstDay, notice, timeZone } = props
  const [day = "", time = ""] = localText(overview.now, timeZone).split(" ")
  return (
    <>
      <div className="title">
        <h1>{t("overview.title")}</h1>
        <p data-live="updated">{t("overview.updated", { day, time })}</p>
      </div>
      <FormNotice notice={notice} />
      <Needs {...props} />
      {firstDay && <FirstDayLeft {...firstDay} timeZone={timeZone} />}
      <div className="columns" data-live="figures">
        <Orders figure={overview.orders} today={overview.today} />
        {overview.received.map((figure) => (
          <Received key={figure.currency} figure={figure} today={overview.today} />
        ))}
        <Steps steps={overview.steps} today={overview.today} />
        <Renewals {...overview.renewals} since={overview.renewalsSince} today={overview.today} />
      </div>
    </>
  )
}

function Needs({ overview: { needs, now }, keys, email, mayTake }: OverviewProps) {
  const fine = needKinds.filter((kind) => !needs.some((need) => need.kind === kind))
  return (
    <section
      className="card"
      data-live="needs"
      data-announcement={t("overview.announcement", { count: needs.length })}
    >
      <div className="title">
        <h2>{t("overview.needs")}</h2>
        {needs.length > 1 && <p>{t("overview.urgentFirst")}</p>}
      </div>
      {needs.length > 0 && (
        <ul className="rows">
          {needs.map((need, at) => (
            <li key={need.key}>
              <div className="grow">
                <KindOf need={need} />
                <p>{detailOf(need)}</p>
              </div>
              <span className="second">{ageText(now - need.since)}</span>
              <Taken need={need} formKey={keys[at] ?? ""} email={email} mayTake={mayTake} />
              <OpenLink need={need} />
            </li>
          ))}
        </ul>
      )}
      {fine.length > 0 && (
        <>
          <p className="fine">{t(needs.length > 0 ? "overview.otherwise" : "overview.fine")}</p>
          <details>
            <summary>{t("overview.whatIsChecked")}</summary>
            <ul>
              {fine.map((kind) => (
                <li key={kind}>{t(`overview.checked.${kind}`)}</li>
              ))}
            </ul>
          </details>
        </>
      )}
      <p>
        {t("overview.lists")}{" "}
        {everyList.map(([path, name], at) => (
          <Fragment key={path}>
            {at > 0 && ", "}
            <a href={consoleHref(path)}>{t(name)}</a>
          </Fragment>
        ))}
      </p>
    </section>
  )
}

/** Lists that are not in the menu: they also have what was settled, or needs nobody. */
const everyList: readonly (readonly [path: string, name: ConsoleText])[] = [
  ["/admin/jobs", "jobs.title"],
  ["/admin/unmatched-payments", "unmatched.title"],
  ["/admin/rejected-callbacks", "rejected.title"],
  ["/admin/gateways", "gateways.title"],
]

/** Lists that have all of a kind, also those that are not on the overview. */
const lists: Partial<Record<NeedKind, string>> = {
  "no-gateway": "/admin/gateways",
  "not-provisioned": "/admin/orders?status=paid",
  "on-hold": "/admin/orders?status=fraud",
  "gateway-down": "/admin/gateways",
  "shop-file": "/admin/settings",
  "exchange-rate": "/admin/tax/rules",
  "unmatched-money": "/admin/unmatched-payments",
  "money-paid-back": "/admin/unmatched-payments",
  "parked-job": "/admin/jobs?state=parked",
  "unsent-mail": "/admin/jobs?about=mail",
  "webhook-paused": "/admin/webhooks",
  "rejected-callbacks": "/admin/rejected-callbacks",
  "late-steps": "/admin/services?late=yes",
}

function KindOf({ need: { kind } }: { need: Need }) {
  const name = t(`overview.kinds.${kind}`)
  const list = lists[kind]
  return <strong>{list === undefined ? name : <a href={consoleHref(list)}>{name}</a>}</strong>
}

function OpenLink({ need }: { need: Need }) {
  const path = pathOf(need)
  if (!path) return null
  return (
    <a className="button" href={consoleHref(path)}>
      {t("overview.open")}
    </a>
  )
}

type TakenProps = { need: Need; formKey: string; email: string; mayTake: boolean }

/** Who has it, or the button that takes it. */
function Taken({ need: { key, takenBy }, formKey, email, mayTake }: TakenProps) {
  if (takenBy !== null && takenBy !== email)
    return <span>{t("overview.taken", { operator: takenBy.split("@", 1)[0] ?? takenBy })}</span>
  if (!mayTake) return null
  const isMine = takenBy === email
  return (
    <form method="post" className="row">
      <FormKey value={formKey} />
      <input type="hidden" name="need" value={key} />
      {isMine && <span className="mine">{t("overview.mine")}</span>}
      <button className="button" type="submit" name="intent" value={isMine ? "leave" : "take"}>
        {t(isMine ? "overview.leave" : "overview.take")}
      </button>
    </form>
  )
}

/** Where it is handled; null if it has no page of its own. */
function pathOf({ key, orderId, customerId }: Need): string | null {
  const [, paymentId] = /^payment (.+)$/.exec(key) ?? []
  if (paymentId) return `/admin/unmatched-payments/${encodeURIComponent(paymentId)}`
  const [, endpointId] = /^webhook (.+)$/.exec(key) ?? []
  if (endpointId) return `/admin/webhooks/${encodeURIComponent(endpointId)}`
  if (orderId !== null) return `/admin/orders/${orderId}`
  return customerId ? `/admin/customers/${customerId}` : null
}

function detailOf({ kind, orderId, amount, detail, count }: Need): string {
  const order = orderId === null ? null : t("overview.order", { order: orderId })
  const subject = [order, amount && amountText(amount)].filter(Boolean).join(" · ")
  const lead = subject === "" ? "" : `${subject}. `
  const shown = shownCount(count)
  return t(`overview.details.${kind}`, {
    subject,
    lead,
    detail: shownDetail(kind, detail ?? ""),
    count,
    shown,
  }).trim()
}

/** Details of these kinds begin with gateways. */
const namingGateways: readonly NeedKind[] = [
  "no-gateway",
  "gateway-down",
  "refund-refused",
  "chargeback",
  "money-paid-back",
  "unmatched-money",
  "rejected-callbacks",
]

function shownDetail(kind: NeedKind, detail: string): string {
  return namingGateways.includes(kind) ? withGatewayNames(detail) : detail
}

function shownCount(count: number): string {
  return count < NEED_COUNT_LIMIT ? String(count) : t("overview.orMore", { count: NEED_COUNT_LIMIT })
}

function ageText(age: number): string {
  if (age < HOUR) return t("overview.age.minutes", { count: Math.max(0, Math.floor(age / MINUTE)) })
  if (age < DAY) return t("overview.age.hours", { count: Math.floor(age / HOUR) })
  return t("overview.age.days", { count: Math.floor(age / DAY) })
}

/** A figure, and the list that it counts. */
function FigureLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className="figure">
      <a href={href}>{children}</a>
    </p>
  )
}

function orderListHref(conditions: Readonly<Record<string, string>>): string {
  return consoleHref(`/admin/orders?${new URLSearchParams(conditions)}`)
}

function Orders({ figure, today }: { figure: DayFigure; today: Day }) {
  return (
    <section className="card">
      <h2>{t("overview.orders")}</h2>
      <FigureLink href={orderListHref({ paidFrom: today, paidTo: today })}>{figure.total}</FigureLink>
      <p>{t("overview.byThisTime", { value: figure.totalLastWeek })}</p>
      <HourChart {...figure} title={t("overview.orders")} textOf={String} />
    </section>
  )
}

type ReceivedProps = { figure: DayFigure & { currency: Currency }; today: Day }

/** The money of orders paid today leads to them; a part of a price is on its order, which is not paid yet. */
function Received({ figure, today }: ReceivedProps) {
  const textOf = (minor: number) => amountText(money(minor, figure.currency))
  const list = orderListHref({ currency: figure.currency, paidFrom: today, paidTo: today })
  return (
    <section className="card">
      <h2>
        {t("overview.received")}, {figure.currency}
      </h2>
      <FigureLink href={list}>{textOf(figure.total)}</FigureLink>
      <p>{t("overview.byThisTime", { value: textOf(figure.totalLastWeek) })}</p>
      <HourChart {...figure} title={t("overview.received")} textOf={textOf} />
    </section>
  )
}

/** Steps whose visitors have an order. */
function stepList(step: PurchaseStep, today: Day): string | null {
  if (step === "paid") return orderListHref({ kind: "plan", paidFrom: today, paidTo: today })
  return step === "submitted" ? orderListHref({ kind: "plan", from: today, to: today }) : null
}

function Steps({ steps, today }: { steps: readonly StepFigure[]; today: Day }) {
  const seen = steps[0] ?? { count: 0, lastWeek: 0 }
  const paid = steps.at(-1) ?? { count: 0, lastWeek: 0 }
  return (
    <section className="card">
      <h2>{t("overview.steps")}</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("overview.step")}</th>
              <th scope="col" className="number">
                {t("overview.today")}
              </th>
              <th scope="col" className="number">
                {t("overview.share")}
              </th>
              <th scope="col" className="number">
                {t("overview.lastWeek")}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ step, count, lastWeek }) => (
              <tr key={step}>
                <th scope="row">
                  {t(`overview.stepNames.${step}`)}
                  <Bar share={shareOf(count, seen.count)} />
                </th>
                <td className="number">
                  <Linked href={stepList(step, today)}>{count}</Linked>
                </td>
                <td className="number">{percentText(shareOf(count, seen.count))}</td>
                <td className="number">{lastWeek}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>{t("overview.stepsHint", { share: percentText(shareOf(paid.lastWeek, seen.lastWeek)) })}</p>
    </section>
  )
}

function Linked({ href, children }: { href: string | null; children: ReactNode }) {
  return href === null ? children : <a href={href}>{children}</a>
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(1, part / whole))

/** A bar as wide as its share; the number stands beside it. */
function Bar({ share }: { share: number }) {
  return (
    <svg className="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className="ground" width="100" height="4" rx="2" />
      <rect className="now" width={Math.round(share * 100)} height="4" rx="2" />
    </svg>
  )
}

type RenewalsProps = { renewed: number; ended: number; since: Day; today: Day }

function Renewals({ renewed, ended, since, today }: RenewalsProps) {
  const all = renewed + ended
  const orders = orderListHref({ kind: "renewal", paidFrom: since, paidTo: today })
  const services = consoleHref(
    `/admin/services?${new URLSearchParams({ endsFrom: since, endsBefore: today })}`,
  )
  return (
    <section className="card">
      <h2>{t("overview.renewals")}</h2>
      {all === 0 ? (
        <p>{t("overview.noTerms")}</p>
      ) : (
        <>
          <p className="figure">{percentText(renewed / all)}</p>
          <p>{t("overview.rate")}</p>
          <Bar share={renewed / all} />
          <p>
            <a href={orders}>{t("overview.renewed", { count: renewed })}</a>,{" "}
            <a href={services}>{t("overview.ended", { count: ended })}</a>.
          </p>
        </>
      )}
    </section>
  )
}
