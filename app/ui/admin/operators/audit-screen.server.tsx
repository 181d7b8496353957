import type { AuditEntry, AuditVerdict } from "~/billing/operators/audit-log"
import { localText } from "~/domain/local-time"
import { ADMIN_CLI } from "~/domain/operators/operator"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { ListTable } from "../list-parts.server"

type AuditProps = {
  entries: readonly AuditEntry[]
  /** Address of the next page; null on the last one. */
  older: string | null
  filter: Readonly<Record<"operator" | "action" | "subject" | "from" | "until", string>>
  /** Labels of fields that were not valid. */
  invalid: readonly string[]
  operators: readonly { readonly id: string; readonly name: string }[]
  /** Suggested in the field of the action. */
  actions: readonly string[]
  /** Whether the log is whole; null if it was not checked. */
  verdict: AuditVerdict | null
  mayExport: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  refused: { readonly reason: string } | null
  timeZone: string
}

/** The audit log, newest first. */
export function AuditScreen(props: AuditProps) {
  const { entries, older, invalid, verdict, mayExport, formKey, proof, notice, refused, timeZone } = props
  return (
    <>
      <div className="title">
        <h1>{t("audit.title")}</h1>
        <p>{t("audit.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      {verdict && <Verdict {...verdict} />}
      <section className="card">
        <Filter {...props} />
      </section>
      {invalid.length > 0 && (
        <Notice kind="warning">{t("list.invalid", { fields: invalid.join(", ") })}</Notice>
      )}
      <section className="card">
        {entries.length === 0 ? <p>{t("audit.empty")}</p> : <Entries entries={entries} timeZone={timeZone} />}
        {older !== null && (
          <a className="button" href={older}>
            {t("audit.older")}
          </a>
        )}
      </section>
      <section className="card">
        <p>
          <a href={consoleHref("/admin/audit?check")}>{t("audit.check")}</a>
        </p>
        {mayExport && (
          <ActionForm
            action="export-audit-log"
            target={consoleHref("/admin/audit")}
            name={t("audit.export")}
            now={t("audit.exportNow")}
            after={t("audit.exportAfter")}
            formKey={formKey}
            seen=""
            refused={refused}
            proof={proof}
          />
        )}
      </section>
    </>
  )
}

function Verdict({ entries, brokenAt, lastHash }: AuditVerdict) {
  if (brokenAt !== null) return <Notice kind="bad">{t("audit.broken", { position: brokenAt })}</Notice>
  return (
    <Notice kind="good">
      {t("audit.whole", { entries })} {lastHash !== null && <code className="breaks">{lastHash}</code>}
    </Notice>
  )
}

function Filter({ filter, operators, actions }: AuditProps) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/audit")}>
        <div className="filters">
          <p className="field">
            <label htmlFor="operator">{t("audit.who")}</label>
            <select id="operator" name="operator" defaultValue={filter.operator}>
              <option value="">{t("audit.any")}</option>
              {operators.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={ADMIN_CLI}>{ADMIN_CLI}</option>
            </select>
          </p>
          <p className="field">
            <label htmlFor="action">{t("audit.what")}</label>
            <input
              id="action"
              name="action"
              list="actions"
              defaultValue={filter.action}
              maxLength={60}
              spellCheck={false}
              autoCapitalize="none"
            />
          </p>
          <datalist id="actions">
            {actions.map((action) => (
              <option key={action} value={action} />
            ))}
          </datalist>
          <TextField
            id="subject"
            name="subject"
            label={t("audit.subject")}
            value={filter.subject}
            isOptional
          />
          {(["from", "until"] as const).map((field) => (
            <TextField
              key={field}
              id={field}
              name={field}
              type="date"
              label={t(`audit.${field}`)}
              value={filter[field]}
              isOptional
            />
          ))}
        </div>
        <div className="buttons">
          <button className="button main" type="submit">
            {t("list.apply")}
          </button>
          {Object.values(filter).some((it) => it !== "") && (
            <a href={consoleHref("/admin/audit")}>{t("list.clear")}</a>
          )}
        </div>
      </form>
    </search>
  )
}

function Entries({ entries, timeZone }: Pick<AuditProps, "entries" | "timeZone">) {
  return (
    <ListTable
      label={t("audit.title")}
      heads={[
        { text: "audit.when" },
        { text: "audit.who" },
        { text: "audit.what" },
        { text: "audit.about" },
        { text: "audit.outcome" },
        { text: "audit.why" },
      ]}
    >
      {entries.map(({ position, at, operator, action, subject, outcome, reason }) => (
        <tr key={position}>
          <td>{localText(at, timeZone)}</td>
          <td>{operator}</td>
          <td>{action}</td>
          <td>
            <Subject>{subject}</Subject>
          </td>
          <td>{t(`audit.outcomes.${outcome}`)}</td>
          <td className="breaks">{reason}</td>
        </tr>
      ))}
    </ListTable>
  )
}

/** What has a page of its own, by the word that its subject begins with. */
const pagesOf: Readonly<Record<string, string>> = {
  order: "/admin/orders",
  customer: "/admin/customers",
  service: "/admin/services",
  operator: "/admin/operators",
  gateway: "/admin/gateways",
  promotion: "/admin/promotions",
  webhook: "/admin/webhooks",
  message: "/admin/mail",
  bulk: "/admin/bulk",
  product: "/admin/catalogue/products",
}

/** "order 7BQ697JNZK", with a link to its page. */
function Subject({ children: subject }: { children: string }) {
  const [kind = "", id = "", ...more] = subject.split(" ")
  const page = more.length === 0 && id !== "" && Object.hasOwn(pagesOf, kind) && pagesOf[kind]
  return page ? <a href={consoleHref(`${page}/${encodeURIComponent(id)}`)}>{subject}</a> : <>{subject}</>
}
