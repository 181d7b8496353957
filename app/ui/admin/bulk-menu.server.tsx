import { type BulkAction, type BulkList, bulkActions } from "~/domain/console/bulk"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "./console-frame.server"

type BulkMenuProps = {
  list: BulkList
  /** The list's filter, by its fields. */
  typed: Readonly<Record<string, string>>
  /** What the operator may do. */
  actions: readonly BulkAction[]
}

/** Buttons below a list: each leads to a page that says what it would do with all rows of the filter. */
export function BulkMenu({ list, typed, actions }: BulkMenuProps) {
  const offered = bulkActions[list].filter((it) => actions.includes(it))
  if (offered.length === 0) return null
  return (
    <section className="card">
      <h2>{t("bulk.menu")}</h2>
      <p>{t("bulk.menuLead")}</p>
      <form method="get" action={consoleHref("/admin/bulk")}>
        <BulkConditions list={list} typed={typed} />
        <div className="buttons">
          {offered.map((action) => (
            <button key={action} className="button" type="submit" name="action" value={action}>
              {t(`bulk.actions.${action}`)}
            </button>
          ))}
        </div>
      </form>
    </section>
  )
}

/** The list and its filter as hidden fields. */
export function BulkConditions({ list, typed }: Pick<BulkMenuProps, "list" | "typed">) {
  return (
    <>
      <input type="hidden" name="list" value={list} />
      {Object.entries(typed)
        .filter(([, value]) => value.trim() !== "")
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
    </>
  )
}
