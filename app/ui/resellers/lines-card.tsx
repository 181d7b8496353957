import { getInputProps } from "@conform-to/react"
import { Form, Link } from "react-router"
import { type RefusedForm, resultFor, typedInto } from "~/domain/forms/refused-form"
import { lineNotesRule } from "~/domain/forms/service-rules"
import { localPath } from "~/domain/locales"
import { servicePath } from "~/domain/screen-paths"
import type { Service } from "~/domain/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"

export type LineListed = Pick<Service, "id" | "name" | "username" | "status" | "notes">

type Lines = {
  lines: readonly LineListed[]
  balance: number
  serviceId: string
  formKey: string
  lastResult: RefusedForm | null | undefined
}

const check = (typed: TypedText<"notes">) => ({ notes: lineNotesRule(typed("notes")) })

/** Lines of the reseller's customers: the form to create one, and the list. */
export function LineCard({ lines, balance, serviceId, formKey, lastResult: answer }: Lines) {
  const { t } = useTranslation()
  const locale = useLocale()
  // Its button has no name.
  const lastResult = resultFor(undefined, answer)
  return (
    <section className="card" id="line">
      <h2>{t("resellers.line.heading")}</h2>
      <p className="note">{t("resellers.line.lead")}</p>
      <FieldError field={{ errorId: "new-line-error", errors: lastResult?.error?.[""] ?? undefined }} />
      {balance > 0 ? (
        <LineForm key={formKey} serviceId={serviceId} formKey={formKey} lastResult={lastResult} />
      ) : (
        <p>{t("resellers.line.none")}</p>
      )}
      <ul className="made-lines">
        {lines.map(({ id, username, status, notes }) => (
          <li key={id}>
            <Link to={localPath(locale, servicePath(id))}>
              <strong>{notes.split("\n")[0] || username}</strong>{" "}
              <small>
                {username} · {t(`success.status.${status}`)}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LineForm({ serviceId, formKey, lastResult }: Omit<Lines, "lines" | "balance">) {
  const { t } = useTranslation()
  const { fields, formProps } = useCheckedForm({ id: "new-line", lastResult, check })
  return (
    <Form method="post" className="line-form" preventScrollReset {...formProps}>
      <input type="hidden" name="serviceid" value={serviceId} />
      <input type="hidden" name="key" value={formKey} />
      <label className="field" htmlFor={fields.notes.id}>
        {t("resellers.line.notes")}
      </label>
      <input
        {...getInputProps(fields.notes, { type: "text", value: false })}
        maxLength={100}
        defaultValue={typedInto("notes", lastResult) ?? ""}
      />
      <FieldError field={fields.notes} />
      <button className="main">{t("resellers.line.create")}</button>
    </Form>
  )
}
