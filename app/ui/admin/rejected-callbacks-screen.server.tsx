import type { RejectedCallbacks } from "~/billing/console-overview"
import type { Day } from "~/domain/calendar"
import { gatewayIds } from "~/domain/gateway-id"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"
import { Notice } from "./form-parts.server"
import { ListTable } from "./list-parts.server"

type RejectedCallbacksProps = {
  rows: readonly RejectedCallbacks[]
  /** The first day of the list. */
  since: Day
  /** There are more than these. */
  isCut: boolean
  typed: { readonly gateway: string; readonly since: string }
  /** Labels of fields that were not valid. */
  invalid: readonly string[]
}

/** Callbacks that were rejected. Of each the shop keeps a count alone: what was sent is not stored. */
export function RejectedCallbacksScreen({ rows, since, isCut, typed, invalid }: RejectedCallbacksProps) {
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
                  {id}
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
      isCompact
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
          <td>{gateway}</td>
          <td>{reason}</td>
          <td className="number" data-label={t("rejected.count")}>
            {count}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
