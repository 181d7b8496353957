import type { ResellerListItem } from "~/billing/reseller-admin"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { Notice } from "../form-parts.server"
import { type ListLinks, ListPages, ListTable } from "../list-parts.server"

type ResellersProps = {
  /** What was searched for; empty for all. */
  sought: string
  resellers: readonly ResellerListItem[]
  links: ListLinks
  /** The search has found more than the page shows. */
  isCut: boolean
}

const names = { older: "resellers.next", newer: "resellers.previous", newest: "resellers.first" } as const

/** Customers with a reseller plan, their credits and lines. */
export function ResellersScreen({ sought, resellers, links, isCut }: ResellersProps) {
  return (
    <>
      <div className="title">
        <h1>{t("resellers.title")}</h1>
        <p>{t("resellers.lead")}</p>
      </div>
      {isCut && <Notice kind="warning">{t("customers.many")}</Notice>}
      <section className="card">
        <search>
          <form method="get" action={consoleHref("/admin/resellers")} className="search">
            <p className="field grow">
              <label htmlFor="q">{t("resellers.search")}</label>
              <input
                id="q"
                name="q"
                type="search"
                defaultValue={sought}
                spellCheck={false}
                autoCapitalize="none"
                maxLength={200}
              />
            </p>
            <button className="button main" type="submit">
              {t("resellers.find")}
            </button>
            {sought !== "" && <a href={consoleHref("/admin/resellers")}>{t("resellers.all")}</a>}
          </form>
        </search>
        {resellers.length === 0 ? (
          <p>{t(sought === "" ? "resellers.none" : "resellers.noneFound")}</p>
        ) : (
          <ListTable
            label={t("resellers.title")}
            heads={[
              { text: "resellers.reseller" },
              { text: "resellers.plans", isNumber: true },
              { text: "resellers.credits", isNumber: true },
              { text: "resellers.lines", isNumber: true },
            ]}
          >
            {resellers.map(({ id, email, activePlans, credits, lines }) => (
              <tr key={id}>
                <td className="breaks">
                  <a href={consoleHref(`/admin/resellers/${encodeURIComponent(id)}`)}>{email}</a>
                </td>
                <td className="number" data-label={t("resellers.plans")}>
                  {activePlans}
                </td>
                <td className="number" data-label={t("resellers.credits")}>
                  {credits}
                </td>
                <td className="number" data-label={t("resellers.lines")}>
                  {lines}
                </td>
              </tr>
            ))}
          </ListTable>
        )}
        <ListPages links={links} names={names} />
      </section>
    </>
  )
}
