import { getInputProps } from "@conform-to/react"
import { Form } from "react-router"
import { SECOND } from "~/domain/calendar"
import { PASSWORD_LENGTH } from "~/domain/customers/customer"
import { EMAIL_LENGTH } from "~/domain/customers/email"
import { currentPasswordRule, emailCodeRule, emailRule } from "~/domain/forms/field-rules"
import { ACCOUNT } from "~/domain/orders/screen-paths"
import { type RefusedForm, resultFor } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"
import { AddressText } from "../layout/address-text"
import { spanText } from "../layout/format"

/** The change of e-mail on the page of an account, with its texts in the visitor's language. */
export type EmailChangeView = {
  /** A code is on its way; null: none has been asked for. */
  readonly pending: {
    readonly heading: string
    readonly lead: string
    readonly label: string
    readonly note: string
    readonly submit: string
  } | null
  readonly summary: string
  readonly lead: string
  readonly label: string
  readonly send: string
  /** Label of the password; null: none is asked for. */
  readonly password: string | null
  /** The customer has to sign in again first; null: not. */
  readonly again: { readonly lead: string; readonly action: string } | null
  /** Texts of errors, which the browser's language files do not have. */
  readonly errors: Readonly<Record<string, string>>
  readonly isOpen: boolean
}

type Props = {
  view: EmailChangeView
  /** The answer to a refused form. */
  lastResult: RefusedForm | null | undefined
  /** How long to wait after too many attempts; 0: none. */
  retryAfterSeconds: number
}

/** Asks for the new e-mail, and for the code that went there. Folded until somebody wants it. */
export function EmailChangeCard({ view, lastResult, retryAfterSeconds: wait }: Props) {
  const { pending, summary, lead, again, isOpen } = view
  const change = resultFor("change-email", lastResult)
  return (
    <section className="card folded email-change" id="email">
      {pending && <h2>{pending.heading}</h2>}
      {pending && (
        <CodeForm
          view={view}
          pending={pending}
          lastResult={resultFor("confirm-email", lastResult)}
          wait={wait}
        />
      )}
      <details open={Boolean(change) || (isOpen && pending === null)}>
        <summary>{summary}</summary>
        <p className="note">{lead}</p>
        {again ? (
          <Form method="post" reloadDocument>
            <p>{again.lead}</p>
            <button name="intent" value="sign-in-again">
              {again.action}
            </button>
          </Form>
        ) : (
          <AddressForm view={view} lastResult={change} wait={wait} />
        )}
      </details>
    </section>
  )
}

type Problem = {
  field: { errorId: string; errors: string[] | undefined }
  errors: EmailChangeView["errors"]
  /** For the form as a whole: seconds to wait. */
  wait?: number
}

/** What is wrong with a field or the form, in the page's texts or the browser's. */
function Problem({ field, errors, wait = 0 }: Problem) {
  const { t } = useTranslation()
  const locale = useLocale()
  const [message] = field.errors ?? []
  if (!message) return null
  const time = spanText(wait * SECOND, locale)
  return (
    <p className="problem" id={field.errorId} role="alert">
      {errors[message] ?? t(message as "signIn.tooMany", { time })}
    </p>
  )
}

/** A refused form is shown where it is, not at the start of the page. */
const PLACE = `?${ACCOUNT}#email`

/** Longer than a code that was copied with the words around it. */
const TYPED_LENGTH = 20

const checkCode = (typed: TypedText<"code">) => ({ code: emailCodeRule(typed("code")) })

type Code = {
  view: EmailChangeView
  pending: NonNullable<EmailChangeView["pending"]>
  lastResult: RefusedForm | null | undefined
  wait: number
}

function CodeForm({ view: { errors }, pending, lastResult, wait }: Code) {
  const { form, fields, formProps } = useCheckedForm({ id: "email-code", lastResult, check: checkCode })
  const { code } = fields
  const noteId = `${code.id}-note`
  return (
    <Form method="post" action={PLACE} reloadDocument {...formProps}>
      <p role="status">
        <AddressText text={pending.lead} />
      </p>
      <Problem field={form} errors={errors} wait={wait} />
      <label className="field" htmlFor={code.id}>
        {pending.label}
      </label>
      <input
        {...getInputProps(code, { type: "text", ariaDescribedBy: noteId })}
        className="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={TYPED_LENGTH}
      />
      <Problem field={code} errors={errors} />
      <p className="note" id={noteId}>
        {pending.note}
      </p>
      <button name="intent" value="confirm-email">
        {pending.submit}
      </button>
    </Form>
  )
}

const checkAddress = (typed: TypedText<"email" | "password">) => ({ email: emailRule(typed("email")) })
const checkBoth = (typed: TypedText<"email" | "password">) => ({
  ...checkAddress(typed),
  password: currentPasswordRule(typed("password")),
})

type Address = { view: EmailChangeView; lastResult: RefusedForm | null | undefined; wait: number }

function AddressForm({ view, lastResult, wait }: Address) {
  const { form, fields, formProps } = useCheckedForm({
    id: "new-email",
    lastResult,
    check: view.password === null ? checkAddress : checkBoth,
  })
  const { email, password } = fields
  const { errors } = view
  return (
    <Form method="post" action={PLACE} reloadDocument {...formProps}>
      <Problem field={form} errors={errors} wait={wait} />
      <label className="field" htmlFor={email.id}>
        {view.label}
      </label>
      <input
        {...getInputProps(email, { type: "email" })}
        inputMode="email"
        autoComplete="email"
        required
        maxLength={EMAIL_LENGTH}
      />
      <Problem field={email} errors={errors} />
      {view.password && (
        <>
          <label className="field" htmlFor={password.id}>
            {view.password}
          </label>
          <input
            {...getInputProps(password, { type: "password", value: false })}
            autoComplete="current-password"
            required
            maxLength={PASSWORD_LENGTH.max}
          />
          <Problem field={password} errors={errors} />
        </>
      )}
      <button name="intent" value="change-email">
        {view.send}
      </button>
    </Form>
  )
}
