import type { ServiceListItem } from "~/billing/services/service-admin"
import type { BulkAction } from "~/domain/console/bulk"
import { localText } from "~/domain/local-time"
import { type ServiceStatus, serviceStatuses } from "~/domain/services/service"
import { consoleText as t } from "~/i18n/console-texts.server"
import { BulkMenu } from "../bulk-menu.server"
import { consoleHref } from "../console-frame.server"
import { ExportCard, type ExportProps } from "../export-form.server"
import { Notice } from "../form-parts.server"
import { type ListLinks, ListPages, ListTable } from "../list-parts.server"
import { serviceHref } from "../record-links.server"

/** What was typed into the filter. */
export type TypedServiceFilter = {
  readonly status: string
  readonly product: string
  readonly endsFrom: string
  readonly endsBefore: string
  readonly late: string
}

type ServicesProps = {
  typed: TypedServiceFilter
  services: readonly ServiceListItem[]
  products: readonly { readonly id: string; readonly name: string }[]
  links: ListLinks
  isCut: boolean
  /** Labels of fields that were not valid. */
  invalid: readonly string[]
  timeZone: string
  /** What may be done with all of them. */
  bulk: readonly BulkAction[]
  /** Null for roles that may not export. */
  exportForm: ExportProps | null
}

/** Services by filter. */
export function ServicesScreen({
  typed,
  services,
  products,
  links,
  isCut,
  invalid,
  timeZone,
  bulk,
  exportForm,
}: ServicesProps) {
  return (
    <>
      <div className="title">
        <h1>{t("services.title")}</h1>
        <p>{t("services.lead")}</p>
      </div>
      <section className="card">
        <Filter typed={typed} products={products} />
      </section>
      {invalid.length > 0 && (
        <Notice kind="warning">{t("list.invalid", { fields: invalid.join(", ") })}</Notice>
      )}
      {isCut && <Notice kind="warning">{t("list.cut")}</Notice>}
      <section className="card">
        {services.length === 0 ? (
          <p>{t("services.empty")}</p>
        ) : (
          <ServiceTable services={services} timeZone={timeZone} />
        )}
        <ListPages links={links} />
      </section>
      {services.length > 0 && <BulkMenu list="services" typed={typed} actions={bulk} />}
      {exportForm && <ExportCard path="/admin/services/export" conditions={{ ...typed }} {...exportForm} />}
    </>
  )
}

function Filter({ typed, products }: Pick<ServicesProps, "typed" | "products">) {
  const isFiltered = Object.values(typed).some((it) => it !== "")
  return (
    <search>
      <form method="get" action={consoleHref("/admin/services")}>
        <div className="filters">
          <p className="field">
            <label htmlFor="status">{t("services.status")}</label>
            <select id="status" name="status" defaultValue={typed.status}>
              <option value="">{t("services.any")}</option>
              {serviceStatuses.map((status) => (
                <option key={status} value={status}>
                  {t(`service.statuses.${status}`)}
                </option>
              ))}
            </select>
          </p>
          <p className="field">
            <label htmlFor="product">{t("services.product")}</label>
            <select id="product" name="product" defaultValue={typed.product}>
              <option value="">{t("services.any")}</option>
              {products.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </p>
          <EndField name="endsFrom" value={typed.endsFrom} />
          <EndField name="endsBefore" value={typed.endsBefore} />
        </div>
        <label className="check">
          <input type="checkbox" name="late" value="yes" defaultChecked={typed.late !== ""} />{" "}
          {t("services.late")}
        </label>
        <div className="buttons">
          <button className="button main" type="submit">
            {t("list.apply")}
          </button>
          {isFiltered && <a href={consoleHref("/admin/services")}>{t("list.clear")}</a>}
        </div>
      </form>
    </search>
  )
}

function EndField({ name, value }: { name: "endsFrom" | "endsBefore"; value: string }) {
  return (
    <p className="field">
      <label htmlFor={name}>{t(`services.${name}`)}</label>
      <input id={name} name={name} type="date" defaultValue={value} />
    </p>
  )
}

/** Services in a table, with links to their pages. */
function ServiceTable({ services, timeZone }: Pick<ServicesProps, "services" | "timeZone">) {
  return (
    <ListTable
      label={t("services.title")}
      heads={[
        { text: "services.service" },
        { text: "services.status" },
        { text: "services.customer" },
        { text: "services.created" },
        { text: "services.username" },
        { text: "services.end", isNumber: true },
      ]}
    >
      {services.map(({ id, name, status, email, username, createdAt, paidUntil }) => (
        <tr key={id}>
          <td>
            <a href={serviceHref(id)}>{name}</a>
          </td>
          <td>
            <ServicePill status={status} />
          </td>
          <td>{email}</td>
          <td>{localText(createdAt, timeZone)}</td>
          <td>{username}</td>
          <td className="number" data-label={t("services.end")}>
            {paidUntilText({ status, paidUntil }, timeZone)}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

const running: readonly ServiceStatus[] = ["Active", "Suspended"]

/** Until when a service is paid. Without such a time only one that runs has no end: another was never paid, or has had it. */
export function paidUntilText(
  { status, paidUntil }: Pick<ServiceListItem, "status" | "paidUntil">,
  timeZone: string,
): string {
  if (paidUntil !== null) return localText(paidUntil, timeZone)
  return t(running.includes(status) ? "services.endless" : "services.unpaid")
}

const pills: Readonly<Record<ServiceStatus, "good" | "warning" | "plain">> = {
  Pending: "plain",
  Active: "good",
  Suspended: "warning",
  Terminated: "plain",
  Cancelled: "plain",
}

/** Status of a service in words, never by colour alone. */
export function ServicePill({ status }: { status: ServiceStatus }) {
  return <span className={`pill ${pills[status]}`}>{t(`service.statuses.${status}`)}</span>
}
