import { Link } from "react-router"
import { MINUTE } from "~/domain/calendar"
import { PASSWORD_LENGTH } from "~/domain/customer"
import { EMAIL_LENGTH } from "~/domain/email"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ErrorSummary, FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"
import { spanText } from "../layout/format"

type SignIn = {
  reason: "asked" | "needed" | "used-link" | "old-link"
  error: "wrong" | "too-many" | "busy" | null
  /** To wait, after too many tries. */
  minutes: number
  /** As it was typed, or as far as it is known. */
  email: string
  fieldErrors: FieldErrors
  /** Where the form is sent. */
  action: string
}

/** The door for customers. What is wrong is never told in a way that gives away whether an e-mail is known. */
export function SignInScreen({ reason, error, minutes, email, fieldErrors, action }: SignIn) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <section className="card sign-in">
      <h1>{t("signIn.heading")}</h1>
      <p className="lead">{t(`signIn.lead.${reason}`)}</p>
      {error && (
        <div className="problems" role="alert" id="sign-in-problem">
          <p>
            {error === "wrong"
              ? t("signIn.wrong")
              : error === "busy"
                ? t("signIn.busy")
                : t("signIn.tooMany", { time: spanText(minutes * MINUTE, locale) })}
          </p>
        </div>
      )}
      <ErrorSummary errors={fieldErrors} />
      <form method="post" action={action}>
        <Fields typed={email} errors={fieldErrors} about={error && "sign-in-problem"} />
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

/** `about`: the id of what is said of both fields. */
type Shown = { typed: string; errors: FieldErrors; about: string | null }

/** The password is never sent back to be filled in again. */
function Fields({ typed, errors, about }: Shown) {
  const { t } = useTranslation()
  return (
    <>
      <label className="field" htmlFor="email">
        {t("checkout.email.label")}
      </label>
      <input
        id="email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        required
        maxLength={EMAIL_LENGTH}
        defaultValue={typed}
        aria-describedby={about ?? undefined}
        {...fieldErrorProps(errors, "email")}
      />
      <FieldError errors={errors} field="email" />
      <label className="field" htmlFor="password">
        {t("signIn.password")}
      </label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={PASSWORD_LENGTH.max}
        aria-describedby={about ?? undefined}
        {...fieldErrorProps(errors, "password")}
      />
      <FieldError errors={errors} field="password" />
    </>
  )
}
