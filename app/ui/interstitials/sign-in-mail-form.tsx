import { getInputProps } from "@conform-to/react"
import { EMAIL_LENGTH } from "~/domain/customers/email"
import { emailRule } from "~/domain/forms/field-rules"
import type { RefusedForm } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { HoneypotField } from "../form/honeypot-field"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { describedByProblem, FormProblem } from "./form-problem"

type MailForm = {
  email: string
  lastResult: RefusedForm | null
  retryAfterSeconds: number
  action: string
}

const check = (typed: TypedText<"email">) => ({ email: emailRule(typed("email")) })

/** Asks for a message with a link and a code. */
export function SignInMailForm({ email, lastResult, retryAfterSeconds, action }: MailForm) {
  const { t } = useTranslation()
  const { form, fields, formProps } = useCheckedForm({
    id: "sign-in-mail",
    lastResult,
    defaultValue: { email },
    check,
  })
  return (
    <>
      <FormProblem form={form} lastResult={lastResult} retryAfterSeconds={retryAfterSeconds} />
      <form method="post" action={action} {...formProps}>
        <label className="field" htmlFor={fields.email.id}>
          {t("checkout.email.label")}
        </label>
        <input
          {...getInputProps(fields.email, { type: "email", ...describedByProblem(form, lastResult) })}
          inputMode="email"
          autoComplete="email"
          required
          maxLength={EMAIL_LENGTH}
        />
        <FieldError field={fields.email} />
        <HoneypotField lastResult={lastResult} />
        <button className="main" name="intent" value="sign-in-mail">
          {t("signIn.mail.send")}
        </button>
      </form>
    </>
  )
}
