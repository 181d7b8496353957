import { getInputProps } from "@conform-to/react"
import { Link } from "react-router"
import { MINUTE, SECOND } from "~/domain/calendar"
import { PASSWORD_LENGTH } from "~/domain/customer"
import { EMAIL_LENGTH } from "~/domain/email"
import { currentPasswordRule, emailRule } from "~/domain/forms/field-rules"
import type { RefusedForm } from "~/domain/forms/refused-form"
import type { SignInReason } from "~/domain/interstitial"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ErrorSummary } from "../form/error-summary"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { spanText } from "../layout/format"

type SignIn = {
  reason: SignInReason
  /** The known e-mail. */
  email: string
  lastResult: RefusedForm | null
  /** How long to wait after too many attempts. */
  retryAfterSeconds: number
  /** URL of the form. */
  action: string
}

const check = (typed: TypedText<"email" | "password">) => ({
  email: emailRule(typed("email")),
  password: currentPasswordRule(typed("password")),
})

/** Sign-in screen. Its errors do not reveal whether an e-mail is registered. The password is never rendered. */
export function SignInScreen({ reason, email, lastResult, retryAfterSeconds, action }: SignIn) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { form, fields, formProps } = useCheckedForm({
    id: "sign-in",
    lastResult,
    defaultValue: { email },
    check,
  })
  const { "": aboutBoth, ...errors } = lastResult?.error ?? {}
  const [message] = aboutBoth ?? []
  const describedBy = message ? { ariaDescribedBy: form.errorId } : {}
  const minutes = Math.ceil((retryAfterSeconds * SECOND) / MINUTE) * MINUTE
  return (
    <section className="card sign-in">
      <h1>{t("signIn.heading")}</h1>
      <p className="lead">{t(`signIn.lead.${reason}`)}</p>
      {message && (
        <div className="problems" role="alert" id={form.errorId}>
          <p>{t(message as "signIn.tooMany", { time: spanText(minutes, locale) })}</p>
        </div>
      )}
      <ErrorSummary formId={form.id} errors={errors} />
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
        <button className="main" name="intent" value="sign-in">
          {t("signIn.connect")}
        </button>
      </form>
      <p className="note">{t("signIn.noPassword")}</p>
      <p className="note">{t("signIn.missingOrders")}</p>
      <Link className="quiet" to={localPath(locale, "/")}>
        {t("frame.plans")}
      </Link>
    </section>
  )
}
