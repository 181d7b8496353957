import { Form } from "react-router"
import { NOTES_LENGTH, type Service } from "~/domain/service"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"

type Notes = { service: Pick<Service, "id" | "notes">; errors: FieldErrors; typed: string | null }

/** Form for the customer's notes. */
export function NotesForm({ service, errors, typed }: Notes) {
  const { t } = useTranslation()
  return (
    <section className="card">
      <h2>{t("success.notes.heading")}</h2>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="serviceid" value={service.id} />
        <label className="field" htmlFor="notes">
          {t("success.notes.label")}
        </label>
        <textarea
          id="notes"
          name="notes"
          rows={3}
          maxLength={NOTES_LENGTH}
          key={service.notes}
          defaultValue={typed ?? service.notes}
          {...fieldErrorProps(errors, "notes")}
        />
        <FieldError errors={errors} field="notes" />
        <button name="intent" value="notes">
          {t("success.notes.save")}
        </button>
      </Form>
    </section>
  )
}
