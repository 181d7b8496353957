import { consoleText as t } from "~/i18n/console-texts.server"
import { Field, FormNotice } from "../form-parts.server"

const SECONDS_PER_MINUTE = 60

export type SignInProblem =
  | { readonly kind: "wrong" }
  /** A form was sent when its session had ended. */
  | { readonly kind: "unsent" }
  | { readonly kind: "too-many"; readonly retryAfterSeconds: number }

/** E-mail, password and code in one form, so that no answer tells which of them was wrong. */
export function SignInScreen({ email, problem }: { email: string; problem: SignInProblem | null }) {
  return (
    <>
      <h1>{t("signIn.title")}</h1>
      <section className="card">
        <FormNotice notice={problem && { kind: "bad", text: messageOf(problem) }} />
        <form method="post">
          <Field name="email" label={t("signIn.email")} type="email" autoComplete="username" value={email} />
          <Field
            name="password"
            label={t("signIn.password")}
            type="password"
            autoComplete="current-password"
          />
          <Field
            name="code"
            label={t("signIn.code")}
            hint={t("signIn.codeHint")}
            autoComplete="one-time-code"
          />
          <button className="button main" type="submit">
            {t("signIn.submit")}
          </button>
        </form>
        <p>{t("signIn.lost")}</p>
      </section>
    </>
  )
}

function messageOf(problem: SignInProblem): string {
  if (problem.kind !== "too-many") return t(`signIn.${problem.kind}`)
  return t("signIn.tooMany", { count: Math.ceil(problem.retryAfterSeconds / SECONDS_PER_MINUTE) })
}
