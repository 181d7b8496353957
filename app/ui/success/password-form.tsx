import { Form } from "react-router"
import { PASSWORD_LENGTH } from "~/domain/customer"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"

type Password = {
  /** The page's service, which its forms post. */
  serviceId: string
  errors: FieldErrors
  done: boolean
}

/** Form for an authenticated customer's password; collapsed at first. */
export function PasswordForm({ serviceId, errors, done }: Password) {
  const { t } = useTranslation()
  return (
    <section className="card folded password">
      {done && (
        <p className="password-done" role="status">
          {t("password.done")}
        </p>
      )}
      <details open={Boolean(errors.password?.length)}>
        <summary>{t("password.heading")}</summary>
        <p className="note">{t("password.lead")}</p>
        <Form method="post">
          <input type="hidden" name="serviceid" value={serviceId} />
          <label className="field" htmlFor="password">
            {t("password.label")}
          </label>
          <input
            id="password"
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={PASSWORD_LENGTH.min}
            maxLength={PASSWORD_LENGTH.max}
            {...fieldErrorProps(errors, "password")}
          />
          <FieldError errors={errors} field="password" />
          <p className="note">{t("password.least", { least: PASSWORD_LENGTH.min })}</p>
          <button name="intent" value="password">
            {t("password.save")}
          </button>
        </Form>
      </details>
    </section>
  )
}
