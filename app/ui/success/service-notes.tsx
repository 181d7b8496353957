import { getTextareaProps } from "@conform-to/react"
import { Form } from "react-router"
import { notesRule } from "~/domain/forms/service-rules"
import { type RefusedForm, resultFor, typedInto } from "~/domain/refused-form"
import { NOTES_LENGTH, type Service } from "~/domain/services/service"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { useSupport } from "../layout/support-link"

type Notes = { service: Pick<Service, "id" | "notes">; lastResult: RefusedForm | null | undefined }

const check = (typed: TypedText<"notes">) => ({ notes: notesRule(typed("notes")) })

/** Form for the customer's notes; folded. */
export function NotesForm({ service, lastResult: answer }: Notes) {
  const { t } = useTranslation()
  const lastResult = resultFor("notes", answer)
  const { fields, formProps } = useCheckedForm({ id: "notes", lastResult, check })
  return (
    <details open={lastResult != null}>
      <summary>{t("success.notes.heading")}</summary>
      <Form method="post" preventScrollReset {...formProps}>
        <input type="hidden" name="serviceid" value={service.id} />
        <label className="field" htmlFor={fields.notes.id}>
          {t(useSupport() === null ? "success.notes.labelAlone" : "success.notes.label")}
        </label>
        <textarea
          {...getTextareaProps(fields.notes, { value: false })}
          rows={3}
          maxLength={NOTES_LENGTH}
          key={service.notes}
          defaultValue={typedInto("notes", lastResult) ?? service.notes}
        />
        <FieldError field={fields.notes} />
        <button name="intent" value="notes">
          {t("success.notes.save")}
        </button>
      </Form>
    </details>
  )
}
