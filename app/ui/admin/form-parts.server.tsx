import type { ReactNode } from "react"
import { consoleText as t } from "~/i18n/console-texts.server"

type FieldProps = {
  /** The field's name without it. */
  id?: string
  name: string
  label: string
  hint?: string
  type?: "text" | "email" | "password"
  autoComplete: string
  value?: string
  isInvalid?: boolean
}

/** A labelled field of a form. */
export function Field({
  name,
  id = name,
  label,
  hint,
  type = "text",
  autoComplete,
  value,
  isInvalid,
}: FieldProps) {
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        autoComplete={autoComplete}
        defaultValue={value}
        required
        spellCheck={false}
        autoCapitalize="none"
        aria-describedby={hintId}
        aria-invalid={isInvalid || undefined}
      />
      {hint !== undefined && <small id={hintId}>{hint}</small>}
    </p>
  )
}

type ChoicesProps = {
  name: string
  label: string
  choices: readonly { readonly value: string; readonly text: string }[]
  chosen: string
}

/** A choice whose texts are longer than a phone is wide: a list that folds would cut them. */
export function Choices({ name, label, choices, chosen }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {choices.map(({ value, text }) => (
        <label key={value} className="check">
          <input type="radio" name={name} value={value} required defaultChecked={value === chosen} /> {text}
        </label>
      ))}
    </fieldset>
  )
}

/** The key of a form: it acts once, in this session only. */
export function FormKey({ value }: { value: string }) {
  return <input type="hidden" name="key" value={value} />
}

type ReasonProps = { id: string; label?: string; value: string }

/** Why something is done, for the audit log. */
export function ReasonField({ id, label = t("action.reason"), value }: ReasonProps) {
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} name="reason" required maxLength={500} rows={2} defaultValue={value} />
    </p>
  )
}

export type ProofProblem = "missing" | "wrong" | "too-many"

/** Whether forms ask for password and code, and what was wrong with them. */
export type ProofAsked = { readonly isProven: boolean; readonly problem: ProofProblem | null }

/** What a page says about its last form. */
export type ActionNotice = {
  readonly kind: "good" | "bad" | "warning"
  readonly text: string
  /** What was wrong with password and code, if the action needs them. */
  readonly proof?: ProofProblem
}

/** `form`: a name for the fields' ids, since a page may have several forms. */
type ProofProps = ProofAsked & { form: string }

/** Password and code, on forms whose action needs them, unless they were given in the last 10 minutes. */
export function ProofFields({ isProven, problem, form }: ProofProps) {
  if (isProven) return null
  return (
    <fieldset>
      <legend>{t("proof.title")}</legend>
      <p>{t("proof.lead")}</p>
      <Field
        id={`${form}-password`}
        name="password"
        label={t("signIn.password")}
        type="password"
        autoComplete="current-password"
        isInvalid={problem === "wrong"}
      />
      <Field
        id={`${form}-code`}
        name="code"
        label={t("signIn.code")}
        hint={t("signIn.codeHint")}
        autoComplete="one-time-code"
      />
    </fieldset>
  )
}

/** The form that stands open, since it was refused. A page has one at most. */
export const OPEN_FORM = "open-form"

/** What a page says about its last form. What was refused has the focus, and leads to the form that stands open. */
export function FormNotice({ notice }: { notice: Pick<ActionNotice, "kind" | "text"> | null }) {
  if (notice?.kind !== "bad") return notice && <Notice kind={notice.kind}>{notice.text}</Notice>
  return (
    <>
      {/* biome-ignore lint/a11y/noAutofocus: the answer to a form begins with what is wrong, as in the checkout */}
      <p className="notice bad" tabIndex={-1} autoFocus role="alert">
        {notice.text}
      </p>
      <a className="to-form" href={`#${OPEN_FORM}`}>
        {t("action.toForm")}
      </a>
    </>
  )
}

type NoticeProps = Pick<ActionNotice, "kind"> & { children: ReactNode }

/** A message; what failed is announced at once. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <p className={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      {children}
    </p>
  )
}
