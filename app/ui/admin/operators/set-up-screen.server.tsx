import { consoleText as t } from "~/i18n/console-texts.server"
import { Field, FormNotice } from "../form-parts.server"

export type SetUpProblem =
  | "tooShort"
  | "tooLong"
  | "notSame"
  | "guessable"
  | "wrong-code"
  | "link-used"
  | "overloaded"

type SetUpProps = {
  email: string
  /** Key for the authenticator app, and its QR code as SVG. */
  secret: string
  qr: string
  token: string
  problem: SetUpProblem | null
}

const GROUP = /.{4}(?=.)/g

/** The page of a one-time link: authenticator app, password and the first code. */
export function SetUpScreen({ email, secret, qr, token, problem }: SetUpProps) {
  const isOfPassword = problem !== null && ["tooShort", "tooLong", "guessable"].includes(problem)
  return (
    <>
      <h1>{t("setUp.title")}</h1>
      <p className="second">{t("setUp.lead", { email })}</p>
      <FormNotice notice={problem && { kind: "bad", text: t(`setUp.${problem}`) }} />
      <section className="card">
        <h2>{t("setUp.app")}</h2>
        <p>{t("setUp.appHint")}</p>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by the server from the key */}
        <div className="qr" role="img" aria-label={t("setUp.app")} dangerouslySetInnerHTML={{ __html: qr }} />
        <p className="mono">{secret.replace(GROUP, "$& ")}</p>
      </section>
      <form method="post">
        <input type="hidden" name="token" value={token} />
        <section className="card">
          <h2>{t("setUp.choose")}</h2>
          <Field
            name="password"
            label={t("setUp.password")}
            hint={t("setUp.passwordHint")}
            type="password"
            autoComplete="new-password"
            isInvalid={isOfPassword}
          />
          <Field
            name="confirmPassword"
            label={t("setUp.confirm")}
            type="password"
            autoComplete="new-password"
            isInvalid={problem === "notSame"}
          />
        </section>
        <section className="card">
          <h2>{t("setUp.codeTitle")}</h2>
          <Field
            name="code"
            label={t("setUp.code")}
            autoComplete="one-time-code"
            isInvalid={problem === "wrong-code"}
          />
          <button className="button main" type="submit">
            {t("setUp.submit")}
          </button>
        </section>
      </form>
    </>
  )
}

/** An unknown, used or expired link. */
export function LinkGoneScreen() {
  return (
    <section className="card">
      <h1>{t("setUp.gone")}</h1>
      <p>{t("setUp.goneLead")}</p>
    </section>
  )
}
