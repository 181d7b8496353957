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
  /** Minutes to wait after too many attempts. */
  minutes: number
  /** The typed or known e-mail. */
  email: string
  fieldErrors: FieldErrors
  /** URL of the form. */
  action: string
}

/** Sign-in screen. Its errors do not reveal whether an e-mail is registered. */
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

/** `about`: id of the message about both fields. */
type Shown = { typed: string; errors: FieldErrors; about: string | null }

/** The password is never rendered. */
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
