import type { OperatorSession, SessionListed } from "~/billing/operators/operators"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import {
  type ActionNotice,
  Field,
  FormKey,
  FormNotice,
  type ProofAsked,
  ProofFields,
} from "../form-parts.server"

export type AccountNotice = ActionNotice

type AccountProps = {
  session: Pick<OperatorSession, "id" | "email" | "role">
  codesLeft: number
  sessions: readonly SessionListed[]
  /** Keys of the forms. */
  keys: { password: string; codes: string; sessions: readonly string[] }
  proof: ProofAsked
  notice: AccountNotice | null
  timeZone: string
}

/** The operator's own account: password, recovery codes and sessions. */
export function AccountScreen(props: AccountProps) {
  const { session, notice, proof } = props
  return (
    <>
      <div className="title">
        <h1>{t("account.title")}</h1>
        <p>
          {session.email}, {t(`frame.roles.${session.role}`)}
        </p>
      </div>
      <FormNotice notice={notice} />
      <Sessions {...props} />
      <div className="columns">
        <section className="card">
          <h2>{t("account.password")}</h2>
          <form method="post">
            <FormKey value={props.keys.password} />
            <input type="hidden" name="intent" value="password" />
            <Field
              name="newPassword"
              label={t("setUp.password")}
              hint={t("setUp.passwordHint")}
              type="password"
              autoComplete="new-password"
            />
            <Field
              name="confirmPassword"
              label={t("setUp.confirm")}
              type="password"
              autoComplete="new-password"
            />
            <ProofFields {...proof} form="password" />
            <button className="button" type="submit">
              {t("account.passwordSubmit")}
            </button>
          </form>
        </section>
        <section className="card">
          <h2>{t("account.codes")}</h2>
          <p>
            {t("account.codesLeft", { count: props.codesLeft })} {t("account.codesHint")}
          </p>
          <form method="post">
            <FormKey value={props.keys.codes} />
            <input type="hidden" name="intent" value="codes" />
            <ProofFields {...proof} form="codes" />
            <button className="button" type="submit">
              {t("account.codesSubmit")}
            </button>
          </form>
        </section>
      </div>
    </>
  )
}

function Sessions({ session, sessions, keys, timeZone }: AccountProps) {
  return (
    <section className="card">
      <h2>{t("account.sessions")}</h2>
      <ul className="rows">
        {sessions.map(({ id, createdAt, usedAt, address, browser }, at) => (
          <li key={id}>
            <div className="grow">
              <strong>{browser ?? t("account.unknownBrowser")}</strong>
              <p>
                {address ?? t("account.unknownAddress")}.{" "}
                {t("account.since", {
                  since: localText(createdAt, timeZone),
                  used: localText(usedAt, timeZone),
                })}
              </p>
            </div>
            {id === session.id ? (
              <span className="second">{t("account.thisOne")}</span>
            ) : (
              <form method="post">
                <FormKey value={keys.sessions[at] ?? ""} />
                <input type="hidden" name="intent" value="end" />
                <input type="hidden" name="session" value={id} />
                <button className="button" type="submit">
                  {t("account.end")}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
