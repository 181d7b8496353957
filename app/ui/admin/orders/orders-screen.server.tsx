import type { ReactNode } from "react"
import type { OrderListItem } from "~/billing/orders/order-search"
import type { BulkAction } from "~/domain/console/bulk"
import { localText } from "~/domain/local-time"
import { type Currency, currencies } from "~/domain/money/money"
import { type OrderKind, orderKinds } from "~/domain/orders/order"
import { type OrderStatus, orderStatuses } from "~/domain/orders/order-status"
import { type GatewayId, gatewayIds } from "~/domain/payments/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { BulkMenu } from "../bulk-menu.server"
import { consoleHref } from "../console-frame.server"
import { ExportCard, type ExportProps } from "../export-form.server"
import { Notice } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { orderHref } from "../record-links.server"

/** What was typed into the filter. */
export type TypedFilter = {
  readonly q: string
  readonly status: OrderStatus | ""
  readonly kind: OrderKind | ""
  readonly tag: string
  readonly gateway: GatewayId | ""
  readonly country: string
  readonly currency: Currency | ""
  readonly promotion: string
  readonly from: string
  readonly to: string
  readonly paidFrom: string
  readonly paidTo: string
}

type OrdersProps = {
  typed: TypedFilter
  /** Nobody is found by the beginning of an email. */
  wholeEmails: boolean
  orders: readonly OrderListItem[]
  /** Addresses of the pages of older, newer and the newest orders; null without them. */
  links: { readonly older: string | null; readonly newer: string | null; readonly newest: string | null }
  /** Why the list may not be whole. */
  cut: "cut" | "many" | null
  /** Labels of fields that were not valid. */
  invalid: readonly string[]
  timeZone: string
  /** Null for roles that may not export. */
  exportForm: ExportProps | null
  /** What may be done with all of them; none with a search. */
  bulk: readonly BulkAction[]
}

/** Orders by search and filter, newest first. */
export function OrdersScreen({
  typed,
  wholeEmails,
  orders,
  links,
  cut,
  invalid,
  timeZone,
  exportForm,
  bulk,
}: OrdersProps) {
  const { q: _, ...conditions } = typed
  return (
    <>
      <div className="title">
        <h1>{t("orders.title")}</h1>
      </div>
      <section className="card">
        <Search typed={typed} wholeEmails={wholeEmails} />
        <Filter typed={typed} />
      </section>
      {invalid.length > 0 && (
        <Notice kind="warning">{t("orders.invalid", { fields: invalid.join(", ") })}</Notice>
      )}
      {cut && <Notice kind="warning">{t(`orders.${cut}`)}</Notice>}
      <section className="card">
        {orders.length === 0 ? (
          <p>{t("orders.empty")}</p>
        ) : (
          <OrderTable orders={orders} timeZone={timeZone} />
        )}
        <Pages links={links} />
      </section>
      {orders.length > 0 && <BulkMenu list="orders" typed={conditions} actions={bulk} />}
      {exportForm && <ExportCard path="/admin/orders/export" conditions={conditions} {...exportForm} />}
    </>
  )
}

function Search({ typed, wholeEmails }: Pick<OrdersProps, "typed" | "wholeEmails">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/orders")} className="search">
        <p className="field grow">
          <label htmlFor="q">{t("orders.search")}</label>
          <small id="q-hint">{t(wholeEmails ? "orders.searchHintWhole" : "orders.searchHint")}</small>
          <input
            id="q"
            name="q"
            type="search"
            defaultValue={typed.q}
            aria-describedby="q-hint"
            spellCheck={false}
            autoCapitalize="none"
            maxLength={200}
          />
        </p>
        <button className="button main" type="submit">
          {t("orders.find")}
        </button>
      </form>
    </search>
  )
}

/** Open while it filters something. */
function Filter({ typed }: Pick<OrdersProps, "typed">) {
  const { q: _, ...conditions } = typed
  const isOpen = Object.values(conditions).some((it) => it !== "")
  return (
    <details open={isOpen}>
      <summary>{t("orders.filter")}</summary>
      <form method="get" action={consoleHref("/admin/orders")}>
        <div className="filters">
          <Choice name="status" value={typed.status}>
            {orderStatuses.map((status) => (
              <option key={status} value={status}>
                {t(`order.statuses.${status}`)}
              </option>
            ))}
          </Choice>
          <Choice name="kind" value={typed.kind}>
            {orderKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`orders.kinds.${kind}`)}
              </option>
            ))}
          </Choice>
          <FilterField name="tag" value={typed.tag} />
          <Choice name="gateway" value={typed.gateway}>
            {gatewayIds.map((id) => (
              <option key={id} value={id}>
                {gatewayName(id)}
              </option>
            ))}
          </Choice>
          <FilterField name="country" value={typed.country} hint={t("orders.countryHint")} />
          <Choice name="currency" value={typed.currency}>
            {currencies.map((currency) => (
              <option key={currency}>{currency}</option>
            ))}
          </Choice>
          <FilterField name="promotion" value={typed.promotion} />
          <FilterField name="from" value={typed.from} type="date" />
          <FilterField name="to" value={typed.to} type="date" />
          <FilterField name="paidFrom" value={typed.paidFrom} type="date" />
          <FilterField name="paidTo" value={typed.paidTo} type="date" />
        </div>
        <div className="buttons">
          <button className="button" type="submit">
            {t("orders.apply")}
          </button>
          {isOpen && <a href={consoleHref("/admin/orders")}>{t("orders.clear")}</a>}
        </div>
      </form>
    </details>
  )
}

function Choice({
  name,
  value,
  children,
}: {
  name: "status" | "kind" | "gateway" | "currency"
  value: string
  children: ReactNode
}) {
  return (
    <p className="field">
      <label htmlFor={name}>{t(`orders.${name}`)}</label>
      <select id={name} name={name} defaultValue={value}>
        <option value="">{t("orders.any")}</option>
        {children}
      </select>
    </p>
  )
}

type FilterFieldProps = {
  name: "tag" | "country" | "promotion" | "from" | "to" | "paidFrom" | "paidTo"
  value: string
  type?: "text" | "date"
  hint?: string
}

function FilterField({ name, value, type = "text", hint }: FilterFieldProps) {
  return (
    <p className="field">
      <label htmlFor={name}>{t(`orders.${name}`)}</label>
      <input
        id={name}
        name={name}
        type={type}
        defaultValue={value}
        maxLength={60}
        aria-describedby={hint && `${name}-hint`}
      />
      {hint && <small id={`${name}-hint`}>{hint}</small>}
    </p>
  )
}

export function OrderTable({ orders, timeZone }: Pick<OrdersProps, "orders" | "timeZone">) {
  return (
    // A region that scrolls has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="scroll" aria-label={t("orders.title")} tabIndex={0}>
      <table className="orders">
        <thead>
          <tr>
            <th scope="col">{t("orders.number")}</th>
            <th scope="col">{t("orders.status")}</th>
            <th scope="col">{t("orders.customer")}</th>
            <th scope="col">{t("orders.placed")}</th>
            <th scope="col">{t("orders.gateway")}</th>
            <th scope="col" className="number">
              {t("orders.total")}
            </th>
            <th scope="col" className="number">
              {t("orders.received")}
            </th>
          </tr>
        </thead>
        <tbody>
          {orders.map(({ id, status, email, placedAt, gateway, total, received }) => (
            <tr key={id}>
              <td>
                <a href={orderHref(id)}>{id}</a>
              </td>
              <td>
                <StatusPill status={status} />
              </td>
              <td>{email}</td>
              <td>{localText(placedAt, timeZone)}</td>
              <td>{gatewayName(gateway)}</td>
              <td className="number" data-label={t("orders.total")}>
                {amountText(total)}
              </td>
              <td className="number" data-label={t("orders.received")}>
                {amountText(received)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const pills: Readonly<Record<OrderStatus, "good" | "warning" | "bad" | "plain">> = {
  placed: "plain",
  "awaiting-payment": "plain",
  "partially-paid": "warning",
  paid: "bad",
  active: "good",
  cancelled: "plain",
  expired: "plain",
  fraud: "warning",
}

/** Status of an order in words, never by colour alone. */
export function StatusPill({ status }: { status: OrderStatus }) {
  return <span className={`pill ${pills[status]}`}>{t(`order.statuses.${status}`)}</span>
}

function Pages({ links: { older, newer, newest } }: Pick<OrdersProps, "links">) {
  if (!older && !newer && !newest) return null
  return (
    <div className="buttons">
      {newest && <a href={newest}>{t("orders.newest")}</a>}
      {newer && (
        <a className="button" href={newer} rel="prev">
          {t("orders.newer")}
        </a>
      )}
      {older && (
        <a className="button" href={older} rel="next">
          {t("orders.older")}
        </a>
      )}
    </div>
  )
}
