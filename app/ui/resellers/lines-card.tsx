import { Form, Link } from "react-router"
import { localPath } from "~/domain/locales"
import { servicePath } from "~/domain/screen-paths"
import type { Service } from "~/domain/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"

export type LineListed = Pick<Service, "id" | "name" | "username" | "status" | "notes">

type Lines = {
  lines: readonly LineListed[]
  balance: number
  serviceId: string
  formKey: string
  errors: FieldErrors
  typed: string
}

/** Lines of the reseller's customers: the form to create one, and the list. */
export function LineCard({ lines, balance, serviceId, formKey, errors, typed }: Lines) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <section className="card" id="line">
      <h2>{t("resellers.line.heading")}</h2>
      <p className="note">{t("resellers.line.lead")}</p>
      <FieldError errors={errors} field="line" />
      {balance > 0 ? (
        <LineForm serviceId={serviceId} formKey={formKey} errors={errors} typed={typed} />
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

function LineForm({ serviceId, formKey, errors, typed }: Omit<Lines, "lines" | "balance">) {
  const { t } = useTranslation()
  return (
    <Form method="post" className="line-form" preventScrollReset key={formKey}>
      <input type="hidden" name="serviceid" value={serviceId} />
      <input type="hidden" name="key" value={formKey} />
      <label className="field" htmlFor="notes">
        {t("resellers.line.notes")}
      </label>
      <input
        id="notes"
        name="notes"
        maxLength={100}
        defaultValue={typed}
        {...fieldErrorProps(errors, "notes")}
      />
      <FieldError errors={errors} field="notes" />
      <button className="main">{t("resellers.line.create")}</button>
    </Form>
  )
}
