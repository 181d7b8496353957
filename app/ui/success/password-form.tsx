import { getInputProps } from "@conform-to/react"
import { Form } from "react-router"
import { PASSWORD_LENGTH } from "~/domain/customers/customer"
import { newPasswordRule } from "~/domain/forms/field-rules"
import { type RefusedForm, resultFor } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { DoneNotice } from "../layout/done-notice"

export type PasswordView = {
  /** The customer has to sign in again first; null: not. */
  readonly again: { readonly lead: string; readonly action: string } | null
}

type Password = PasswordView & {
  /** The page's service, which its forms post. */
  serviceId: string
  lastResult: RefusedForm | null | undefined
  done: boolean
}

const check = (typed: TypedText<"password">) => ({ password: newPasswordRule(typed("password")) })

/** Form for an authenticated customer's password; collapsed at first. */
export function PasswordForm({ serviceId, again, lastResult: answer, done }: Password) {
  const { t } = useTranslation()
  const lastResult = resultFor("password", answer)
  return (
    <section className="card folded password">
      <DoneNotice className="password-done" text={done ? t("password.done") : null} />
      <details open={Boolean(lastResult)}>
        <summary>{t("password.heading")}</summary>
        <p className="note">{t("password.lead")}</p>
        {again ? (
          <Form method="post" reloadDocument>
            <input type="hidden" name="serviceid" value={serviceId} />
            <p>{again.lead}</p>
            <button name="intent" value="sign-in-again">
              {again.action}
            </button>
          </Form>
        ) : (
          <NewPassword serviceId={serviceId} lastResult={lastResult} />
        )}
      </details>
    </section>
  )
}

function NewPassword({ serviceId, lastResult }: Pick<Password, "serviceId" | "lastResult">) {
  const { t } = useTranslation()
  const { fields, formProps } = useCheckedForm({ id: "password", lastResult, check })
  return (
    <Form method="post" {...formProps}>
      <input type="hidden" name="serviceid" value={serviceId} />
      <label className="field" htmlFor={fields.password.id}>
        {t("password.label")}
      </label>
      <input
        {...getInputProps(fields.password, { type: "password", value: false })}
        autoComplete="new-password"
        required
        minLength={PASSWORD_LENGTH.min}
        maxLength={PASSWORD_LENGTH.max}
      />
      <FieldError field={fields.password} />
      <p className="note">{t("password.least", { least: PASSWORD_LENGTH.min })}</p>
      <button name="intent" value="password">
        {t("password.save")}
      </button>
    </Form>
  )
}
