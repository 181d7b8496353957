import type { AffiliateFigures, AffiliateSpan } from "~/billing/affiliate-admin"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { type ListLinks, ListPages, ListTable } from "../list-parts.server"

type AffiliatesProps = {
  span: AffiliateSpan
  /** The span as the query of an address. */
  query: string
  /** What was typed is no span: the last days are shown. */
  isInvalid: boolean
  affiliates: readonly AffiliateFigures[]
  links: ListLinks
  /** As an affiliate gets it. */
  exampleLink: string
  mayExport: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  refused: { readonly reason: string } | null
}

const names = { older: "affiliates.next", newer: "affiliates.previous", newest: "affiliates.first" } as const

/** Affiliates, and what they have brought in some days. */
export function AffiliatesScreen(props: AffiliatesProps) {
  const {
    span,
    query,
    isInvalid,
    affiliates,
    links,
    exampleLink,
    mayExport,
    formKey,
    proof,
    notice,
    refused,
  } = props
  return (
    <>
      <div className="title">
        <h1>{t("affiliates.title")}</h1>
        <p>{t("affiliates.lead")}</p>
        <p className="breaks">{t("affiliates.link", { link: exampleLink })}</p>
      </div>
      <FormNotice notice={notice} />
      {isInvalid && <Notice kind="warning">{t("affiliates.invalidDays")}</Notice>}
      <section className="card">
        <AffiliateDays path="/admin/affiliates" span={span} />
        {affiliates.length === 0 ? (
          <p>{t("affiliates.none")}</p>
        ) : (
          <ListTable
            label={t("affiliates.title")}
            heads={[
              { text: "affiliates.affiliate" },
              { text: "affiliates.clicks", isNumber: true },
              { text: "affiliates.orders", isNumber: true },
              { text: "affiliates.paid", isNumber: true },
              { text: "affiliates.amounts", isNumber: true },
            ]}
          >
            {affiliates.map(({ id, clicks, orders, paid, amounts }) => (
              <tr key={id}>
                <td className="breaks">
                  <a href={consoleHref(`/admin/affiliates/${encodeURIComponent(id)}?${query}`)}>{id}</a>
                </td>
                <td className="number" data-label={t("affiliates.clicks")}>
                  {clicks}
                </td>
                <td className="number" data-label={t("affiliates.orders")}>
                  {orders}
                </td>
                <td className="number" data-label={t("affiliates.paid")}>
                  {paid}
                </td>
                <td className="number" data-label={t("affiliates.amounts")}>
                  {amounts.map(amountText).join(" + ")}
                </td>
              </tr>
            ))}
          </ListTable>
        )}
        <p>{t("affiliates.amountsHint")}</p>
        <ListPages links={links} names={names} />
      </section>
      {mayExport && (
        <section className="card">
          <ActionForm
            action="export-affiliates"
            target={consoleHref(`/admin/affiliates?${query}`)}
            name={t("affiliates.export")}
            now={t("affiliates.exportNow", { from: span.firstDay, to: span.lastDay })}
            after={t("affiliates.exportAfter")}
            formKey={formKey}
            seen=""
            refused={refused}
            proof={proof}
          />
        </section>
      )}
    </>
  )
}

/** The days that a page is about. */
export function AffiliateDays({ path, span }: { path: string; span: AffiliateSpan }) {
  return (
    <search>
      <form method="get" action={consoleHref(path)}>
        <div className="filters">
          <DayField name="from" value={span.firstDay} />
          <DayField name="to" value={span.lastDay} />
        </div>
        <div className="buttons">
          <button className="button" type="submit">
            {t("affiliates.apply")}
          </button>
        </div>
      </form>
    </search>
  )
}

function DayField({ name, value }: { name: "from" | "to"; value: string }) {
  return (
    <p className="field">
      <label htmlFor={name}>{t(`affiliates.${name}`)}</label>
      <input id={name} name={name} type="date" defaultValue={value} />
    </p>
  )
}
