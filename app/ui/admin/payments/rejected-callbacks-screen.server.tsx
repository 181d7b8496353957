import type { RejectedCallbacks } from "~/billing/console-overview"
import { DAY, type Day } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { gatewayIds } from "~/domain/payments/gateway-id"
import { STORED_FOR, STORED_OF_A_DAY, type StoredCallback } from "~/domain/payments/rejected-callback"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { Notice } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { ListTable } from "../list-parts.server"

type RejectedCallbacksProps = {
  rows: readonly RejectedCallbacks[]
  stored: readonly StoredCallback[]
  /** The first day of the list. */
  since: Day
  /** There are more than these. */
  isCut: boolean
  typed: { readonly gateway: string; readonly since: string }
  /** Labels of fields that were not valid. */
  invalid: readonly string[]
  timeZone: string
}

/** Callbacks that were rejected: how many, and of some what they have sent. */
export function RejectedCallbacksScreen(props: RejectedCallbacksProps) {
  const { rows, stored, since, isCut, typed, invalid } = props
  return (
    <>
      <div className="title">
        <h1>{t("rejected.title")}</h1>
        <p>{t("rejected.lead")}</p>
      </div>
      <section className="card">
        <Filter typed={typed} />
      </section>
      {invalid.length > 0 && (
        <Notice kind="warning">{t("list.invalid", { fields: invalid.join(", ") })}</Notice>
      )}
      {isCut && <Notice kind="warning">{t("rejected.more", { count: rows.length })}</Notice>}
      <section className="card">
        {rows.length === 0 ? <p>{t("rejected.empty", { since })}</p> : <RejectedTable rows={rows} />}
      </section>
      {stored.length > 0 && (
        <section className="card">
          <h2>{t("rejected.storedTitle")}</h2>
          <p>{t("rejected.storedLead", { days: STORED_FOR / DAY, count: STORED_OF_A_DAY })}</p>
          <StoredTable {...props} />
        </section>
      )}
    </>
  )
}

function Filter({ typed }: Pick<RejectedCallbacksProps, "typed">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/rejected-callbacks")}>
        <div className="filters">
          <p className="field">
            <label htmlFor="gateway">{t("rejected.gateway")}</label>
            <select id="gateway" name="gateway" defaultValue={typed.gateway}>
              <option value="">{t("rejected.any")}</option>
              {gatewayIds.map((id) => (
                <option key={id} value={id}>
                  {gatewayName(id)}
                </option>
              ))}
            </select>
          </p>
          <p className="field">
            <label htmlFor="since">{t("rejected.since")}</label>
            <input id="since" name="since" type="date" defaultValue={typed.since} />
          </p>
        </div>
        <div className="buttons">
          <button className="button main" type="submit">
            {t("list.apply")}
          </button>
          {Object.values(typed).some((it) => it !== "") && (
            <a href={consoleHref("/admin/rejected-callbacks")}>{t("list.clear")}</a>
          )}
        </div>
      </form>
    </search>
  )
}

function RejectedTable({ rows }: Pick<RejectedCallbacksProps, "rows">) {
  return (
    <ListTable
      label={t("rejected.title")}
      heads={[
        { text: "rejected.day" },
        { text: "rejected.gateway" },
        { text: "rejected.reason" },
        { text: "rejected.count", isNumber: true },
      ]}
    >
      {rows.map(({ gateway, day, reason, count }) => (
        <tr key={`${day} ${gateway} ${reason}`}>
          <td>{day}</td>
          <td>{gatewayName(gateway)}</td>
          <td>{reason}</td>
          <td className="number" data-label={t("rejected.count")}>
            {count}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function StoredTable({ stored, timeZone }: Pick<RejectedCallbacksProps, "stored" | "timeZone">) {
  return (
    <ListTable
      label={t("rejected.storedTitle")}
      heads={[
        { text: "rejected.at" },
        { text: "rejected.gateway" },
        { text: "rejected.reason" },
        { text: "rejected.address" },
        { text: "rejected.size", isNumber: true },
      ]}
    >
      {stored.map(({ id, at, gateway, reason, address, size }) => (
        <tr key={id}>
          <td>
            <a href={consoleHref(`/admin/rejected-callbacks/${id}`)}>{localText(at, timeZone)}</a>
          </td>
          <td>{gatewayName(gateway)}</td>
          <td>{reason}</td>
          <td data-label={t("rejected.address")}>{address ?? t("rejected.unknown")}</td>
          <td className="number" data-label={t("rejected.size")}>
            {t("rejected.bytes", { count: size })}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
