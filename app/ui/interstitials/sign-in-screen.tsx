import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import type { Returned, SignInReason } from "~/domain/orders/interstitial"
import type { RefusedForm } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { SupportLink, useSupport } from "../layout/support-link"
import { SignInMailForm } from "./sign-in-mail-form"
import { SignInPasswordForm } from "./sign-in-password-form"

type SignIn = {
  reason: SignInReason
  /** The known e-mail. */
  email: string
  /** The form that `lastResult` answers. */
  form: "mail" | "password"
  lastResult: RefusedForm | null
  /** How long to wait after too many attempts. */
  retryAfterSeconds: number
  /** In place of the heading and the reason. */
  returned: Returned | null
  /** The shop sends messages. */
  hasMail: boolean
  /** URL of the forms. */
  action: string
}

/**
 * Sign-in screen: by a message to the e-mail, or by password. Without mail it has the password alone. Its errors do not reveal
 * whether an e-mail is registered.
 */
export function SignInScreen({ reason, returned, email, hasMail, ...answer }: SignIn) {
  const { t } = useTranslation()
  const locale = useLocale()
  const support = useSupport()
  const typed = answer.lastResult?.initialValue?.email
  const known = typeof typed === "string" ? typed : email
  return hasMail ? (
    <>
      <ByMail reason={reason} returned={returned} email={known} {...answer} />
      <p className="no-plan">
        {t("signIn.page.noPlan")} <Link to={localPath(locale, "/")}>{t("signIn.page.plans")}</Link>
      </p>
    </>
  ) : (
    <section className="card sign-in">
      <Heading returned={returned} />
      <p className="lead">
        {returned?.lead ?? t(`signIn.lead.${reason}`)}{" "}
        {reason === "old-link" && t(support === null ? "signIn.page.oldLinkAlone" : "signIn.page.oldLink")}
      </p>
      <SignInPasswordForm email={known} isSecond={false} {...answer} />
      {support !== null && <p className="note">{t("signIn.noPassword")}</p>}
      <p className="note">
        {t("signIn.page.missingOrders")} {support !== null && t("signIn.page.askForLink")}
      </p>
      <SupportLink />
      <Link className="quiet" to={localPath(locale, "/")}>
        {t("frame.plans")}
      </Link>
    </section>
  )
}

function Heading({ returned }: Pick<SignIn, "returned">) {
  const { t } = useTranslation()
  return <h1>{returned?.heading ?? t("signIn.heading")}</h1>
}

/** The password is folded, and open after a refused one. */
function ByMail({ reason, returned, form, lastResult, ...fields }: Omit<SignIn, "hasMail">) {
  const { t } = useTranslation()
  const isByPassword = form === "password" && lastResult !== null
  return (
    <section className="card sign-in">
      <Heading returned={returned} />
      <p className="lead">
        {returned?.lead ?? (reason !== "asked" && t(`signIn.lead.${reason}`))} {t("signIn.page.lead")}
      </p>
      <SignInMailForm lastResult={isByPassword ? null : lastResult} {...fields} />
      <div className="folded">
        <details open={isByPassword}>
          <summary>{t("signIn.page.usePassword")}</summary>
          <SignInPasswordForm lastResult={isByPassword ? lastResult : null} isSecond {...fields} />
          <p className="note">{t("signIn.page.missingByMail")}</p>
        </details>
      </div>
    </section>
  )
}
