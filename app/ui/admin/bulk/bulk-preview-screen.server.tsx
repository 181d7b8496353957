import type { JobListed } from "~/billing/orders/order-admin"
import type { OrderListItem } from "~/billing/orders/order-search"
import type { ServiceListItem } from "~/billing/services/service-admin"
import { type BulkKind, type BulkList, resendMessages } from "~/domain/console/bulk"
import { consoleText as t } from "~/i18n/console-texts.server"
import { TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { BulkConditions } from "../bulk-menu.server"
import { consoleHref } from "../console-frame.server"
import {
  type ActionNotice,
  FormKey,
  FormNotice,
  Notice,
  ProofFields,
  ReasonField,
} from "../form-parts.server"
import { ListTable } from "../list-parts.server"

type PreviewProps = {
  kind: BulkKind
  /** The filter as it was typed. */
  typed: Readonly<Record<string, string>>
  /** Names of fields that are not valid. */
  invalid: readonly string[]
  /** How many rows are meant, and the first ten. */
  count: number
  examples: readonly Example[]
  /** There are more than may be done at once. */
  isCut: boolean
  /** Null for roles that may not do it, and where it cannot be begun. */
  form: FormProps | null
  notice: ActionNotice | null
}

type Example = { readonly item: string } & (
  | ({ readonly list: "orders" } & Pick<OrderListItem, "status" | "total">)
  | ({ readonly list: "services" } & Pick<ServiceListItem, "username" | "name" | "status">)
  | ({ readonly list: "jobs" } & Pick<JobListed, "topic" | "orderId">)
)

type FormProps = {
  formKey: string
  /** When the rows were looked at. */
  shownAt: number
  typedDays: string
  typedMessage: string
  typedReason: string
  /** Null for an action that needs no password. */
  proof: { readonly isProven: boolean } | null
}

/** What an action would do with all rows of a filter: how many, ten of them, and the form that begins it. */
export function BulkPreviewScreen({
  kind,
  typed,
  invalid,
  count,
  examples,
  isCut,
  form,
  notice,
}: PreviewProps) {
  return (
    <>
      <div className="title">
        <h1>{t(`bulk.actions.${kind.action}`)}</h1>
        <p>{t(`bulk.after.${kind.action}`)}</p>
      </div>
      <FormNotice notice={notice} />
      {invalid.length > 0 && (
        <Notice kind="warning">{t("bulk.invalid", { fields: invalid.join(", ") })}</Notice>
      )}
      <section className="card">
        <h2>{isCut ? t("bulk.cut") : t(`bulk.found.${kind.list}`, { count })}</h2>
        <Conditions typed={typed} />
        {examples.length > 0 && <Examples list={kind.list} examples={examples} count={count} />}
        <p>
          <a href={listHref(kind.list, typed)}>{t("bulk.back")}</a>
        </p>
      </section>
      {form && <BeginForm kind={kind} typed={typed} count={count} form={form} notice={notice} />}
    </>
  )
}

/** The filter, by its fields. */
export function Conditions({ typed }: { typed: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(typed)
  if (entries.length === 0) return <p>{t("bulk.everything")}</p>
  return (
    <p>
      {t("bulk.conditions")} {entries.map(([name, value]) => `${name} ${String(value)}`).join(", ")}
    </p>
  )
}

function Examples({
  list,
  examples,
  count,
}: {
  list: BulkList
  examples: readonly Example[]
  count: number
}) {
  return (
    <>
      {count > examples.length && <p>{t("bulk.examples", { count: examples.length })}</p>}
      <ListTable label={t("bulk.examplesLabel")} heads={[{ text: "bulk.number" }, { text: "bulk.what" }]}>
        {examples.map((example) => (
          <tr key={example.item}>
            <td>
              <BulkItemLink list={list} item={example.item} />
            </td>
            <td>{exampleText(example)}</td>
          </tr>
        ))}
      </ListTable>
    </>
  )
}

function exampleText(example: Example): string {
  switch (example.list) {
    case "orders":
      return `${t(`order.statuses.${example.status}`)}, ${amountText(example.total)}`
    case "services":
      return `${example.username}, ${example.name}, ${t(`service.statuses.${example.status}`)}`
    case "jobs":
      return [t(`jobs.topics.${example.topic}`), example.orderId].filter(Boolean).join(", ")
  }
}

/** A row's number, with a link to its page; jobs have none. */
export function BulkItemLink({ list, item }: { list: BulkList; item: string }) {
  if (list === "jobs") return <>{item}</>
  return <a href={consoleHref(`/admin/${list}/${encodeURIComponent(item)}`)}>{item}</a>
}

function listHref(list: BulkList, typed: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(typed).toString()
  return consoleHref(query === "" ? `/admin/${list}` : `/admin/${list}?${query}`)
}

type BeginProps = Pick<PreviewProps, "kind" | "typed" | "count" | "notice"> & { form: FormProps }

function BeginForm({ kind, typed, count, form, notice }: BeginProps) {
  return (
    <section className="card">
      <form method="post" action={consoleHref("/admin/bulk")}>
        <FormKey value={form.formKey} />
        <BulkConditions list={kind.list} typed={typed} />
        <input type="hidden" name="action" value={kind.action} />
        <input type="hidden" name="shown" value={form.shownAt} />
        <input type="hidden" name="count" value={count} />
        {kind.action === "extend-service" && (
          <TextField
            id="days"
            name="days"
            label={t("bulk.days")}
            value={form.typedDays}
            inputMode="numeric"
            maxLength={5}
          />
        )}
        {kind.action === "resend-mail" && <MessageField value={form.typedMessage} />}
        <ReasonField id="reason" value={form.typedReason} />
        {form.proof && (
          <ProofFields isProven={form.proof.isProven} problem={notice?.proof ?? null} form="bulk" />
        )}
        <button className={kind.action === "cancel-order" ? "button destroys" : "button main"} type="submit">
          {t("bulk.begin", { count })}
        </button>
      </form>
    </section>
  )
}

/** Which message is sent again. */
function MessageField({ value }: { value: string }) {
  return (
    <p className="field">
      <label htmlFor="message">{t("bulk.message")}</label>
      <select id="message" name="message" defaultValue={value}>
        <option value="">{t("bulk.anyMessage")}</option>
        {resendMessages.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
