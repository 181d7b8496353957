import { getInputProps } from "@conform-to/react"
import { PASSWORD_LENGTH } from "~/domain/customers/customer"
import { EMAIL_LENGTH } from "~/domain/customers/email"
import { currentPasswordRule, emailRule } from "~/domain/forms/field-rules"
import type { RefusedForm } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { describedByProblem, FormProblem } from "./form-problem"

type PasswordForm = {
  email: string
  lastResult: RefusedForm | null
  retryAfterSeconds: number
  /** The page has another, first choice. */
  isSecond: boolean
  action: string
}

const check = (typed: TypedText<"email" | "password">) => ({
  email: emailRule(typed("email")),
  password: currentPasswordRule(typed("password")),
})

/** Signs in by password, which is never rendered. */
export function SignInPasswordForm({ email, lastResult, retryAfterSeconds, isSecond, action }: PasswordForm) {
  const { t } = useTranslation()
  const { form, fields, formProps } = useCheckedForm({
    id: "sign-in",
    lastResult,
    defaultValue: { email },
    check,
  })
  const describedBy = describedByProblem(form, lastResult)
  return (
    <>
      <FormProblem form={form} lastResult={lastResult} retryAfterSeconds={retryAfterSeconds} />
      <form method="post" action={action} {...formProps}>
        <label className="field" htmlFor={fields.email.id}>
          {t("checkout.email.label")}
        </label>
        <input
          {...getInputProps(fields.email, { type: "email", ...describedBy })}
          inputMode="email"
          autoComplete="username"
          required
          maxLength={EMAIL_LENGTH}
        />
        <FieldError field={fields.email} />
        <label className="field" htmlFor={fields.password.id}>
          {t("signIn.password")}
        </label>
        <input
          {...getInputProps(fields.password, { type: "password", value: false, ...describedBy })}
          autoComplete="current-password"
          required
          maxLength={PASSWORD_LENGTH.max}
        />
        <FieldError field={fields.password} />
        <button className={isSecond ? undefined : "main"} name="intent" value="sign-in">
          {t("signIn.connect")}
        </button>
      </form>
    </>
  )
}
