import { getInputProps } from "@conform-to/react"
import { Form, Link } from "react-router"
import { lineNotesRule } from "~/domain/forms/service-rules"
import { localPath } from "~/domain/locales"
import { pathOf } from "~/domain/orders/screen-paths"
import { type RefusedForm, resultFor, typedInto } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { LineList, type LineListView } from "./line-list"

type Lines = {
  lines: LineListView
  /** Why the last change of a line was refused. */
  refusal: string | null
  balance: number
  serviceId: string
  formKey: string
  lastResult: RefusedForm | null | undefined
}

const check = (typed: TypedText<"notes">) => ({ notes: lineNotesRule(typed("notes")) })

/** Lines of the reseller's customers: the form to create one, and the list. */
export function LineCard({ lines, refusal, balance, serviceId, formKey, lastResult: answer }: Lines) {
  const { t } = useTranslation()
  const locale = useLocale()
  // Its button has no name.
  const lastResult = resultFor(undefined, answer)
  return (
    <section className="card" id="line">
      <h2>{t("resellers.line.heading")}</h2>
      <p className="note">{lines.lead}</p>
      <FieldError field={{ errorId: "new-line-error", errors: lastResult?.error?.[""] ?? undefined }} />
      {balance > 0 ? (
        <LineForm serviceId={serviceId} formKey={formKey} lastResult={lastResult} />
      ) : (
        <>
          <p>{t("resellers.line.none")}</p>
          <Link className="button" to={localPath(locale, pathOf.reseller.checkout)}>
            {t("resellers.balance.more")}
          </Link>
        </>
      )}
      <LineList view={lines} serviceId={serviceId} formKey={formKey} balance={balance} refusal={refusal} />
    </section>
  )
}

function LineForm({ serviceId, formKey, lastResult }: Omit<Lines, "lines" | "refusal" | "balance">) {
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
        // Empty for the next one. The form stays, and with it the focus on its button.
        key={formKey}
        maxLength={100}
        defaultValue={typedInto("notes", lastResult) ?? ""}
      />
      <FieldError field={fields.notes} />
      <button className="main">{t("resellers.line.create")}</button>
    </Form>
  )
}
