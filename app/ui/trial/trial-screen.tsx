import { Form, Link } from "react-router"
import { useTranslation } from "~/i18n/use-translation"
import { SupportLink } from "../layout/support-link"

/** The page of the free trial, with its texts in the visitor's language. */
export type TrialView = {
  readonly heading: string
  readonly lead: string
  readonly legend: string
  readonly plans: readonly {
    readonly id: string
    readonly name: string
    readonly text: string
    readonly isChosen: boolean
  }[]
  /** What is typed, or known. */
  readonly email: string
  readonly emailError: "checkout.email.invalid" | "checkout.email.unreachable" | null
  /** Names of fields that are not seen. `keptEmail`: null unless mail to the typed e-mail comes back. */
  readonly fields: { readonly honeypot: string; readonly keptEmail: string | null }
  /** Why there is no trial; null: nothing is wrong. */
  readonly problem: string | null
  readonly notes: readonly string[]
  /** Idempotency key of the form. */
  readonly key: string
  readonly submit: string
  readonly leave: { readonly text: string; readonly path: string }
}

/** Starts a free trial: a plan, an e-mail, one button. */
export function TrialScreen({ view }: { view: TrialView }) {
  const { heading, lead, plans, legend, problem, notes, key, fields, submit, leave } = view
  return (
    <section className="card narrow refused trial">
      <h1>{heading}</h1>
      <p className="lead">{lead}</p>
      <Form method="post" reloadDocument>
        {problem !== null && (
          <div className="problems" role="alert">
            <p>{problem}</p>
            <SupportLink />
          </div>
        )}
        <div className="hidden" aria-hidden="true">
          <input name={fields.honeypot} tabIndex={-1} autoComplete="off" />
        </div>
        <input type="hidden" name="key" value={key} />
        <fieldset className="bare">
          <legend className="field">{legend}</legend>
          {plans.map(({ id, name, text, isChosen }) => (
            <label key={id} className="choice method">
              <input type="radio" name="plan" value={id} defaultChecked={isChosen} />
              <span className="gateway-text">
                <strong>{name}</strong> <small>{text}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <Email view={view} />
        {notes.map((note) => (
          <p key={note} className="note">
            {note}
          </p>
        ))}
        <button className="main">{submit}</button>
      </Form>
      <Link className="quiet" to={leave.path} reloadDocument>
        {leave.text}
      </Link>
    </section>
  )
}

function Email({ view: { email, emailError, fields } }: { view: TrialView }) {
  const { t } = useTranslation()
  const errorId = emailError === null ? undefined : "trial-email-error"
  return (
    <>
      <label className="field" htmlFor="trial-email">
        {t("checkout.email.label")}
      </label>
      <input
        id="trial-email"
        name="email"
        type="email"
        inputMode="email"
        defaultValue={email}
        required
        maxLength={254}
        autoComplete="email"
        enterKeyHint="go"
        aria-invalid={emailError === null ? undefined : true}
        aria-describedby={errorId}
      />
      {emailError !== null && (
        <p className="problem" id={errorId} role="alert">
          {t(emailError)}
        </p>
      )}
      {fields.keptEmail !== null && <input type="hidden" name={fields.keptEmail} value={email} />}
    </>
  )
}
