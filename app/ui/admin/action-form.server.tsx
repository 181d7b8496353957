import type { ReactNode } from "react"
import { consoleText as t } from "~/i18n/console-texts.server"
import { FormKey, OPEN_FORM, type ProofAsked, ProofFields, ReasonField } from "./form-parts.server"

type ActionFormProps = {
  action: string
  /** Name of its fields' ids, where a page has several forms of one action; the action without it. */
  ids?: string
  /** Address that the form posts to; the page's own without it. */
  target?: string | undefined
  name: string
  /** What is now, and what is after it. */
  now: string
  after: string
  formKey: string
  seen: string
  /** The form that was refused: it stays open with what was typed. */
  refused: { readonly reason: string } | null
  /** Null for an action that needs no password. */
  proof: ProofAsked | null
  destroys?: boolean
  /** It has a field for a file. */
  hasFile?: boolean
  /** Fields that only this action has. */
  children?: ReactNode
}

/** An action behind a summary: opened, it asks for the reason and says what is now and what is after. */
export function ActionForm(props: ActionFormProps) {
  const {
    action,
    ids = action,
    target,
    name,
    now,
    after,
    formKey,
    seen,
    refused,
    proof,
    destroys = false,
    hasFile = false,
    children,
  } = props
  return (
    <details className="action" id={refused ? OPEN_FORM : undefined} open={refused !== null}>
      <summary>{name}</summary>
      <form method="post" action={target} encType={hasFile ? "multipart/form-data" : undefined}>
        <FormKey value={formKey} />
        <input type="hidden" name="action" value={action} />
        <input type="hidden" name="seen" value={seen} />
        {children}
        <ReasonField id={`${ids}-reason`} value={refused?.reason ?? ""} />
        <dl className="change">
          <dt>{t("action.now")}</dt>
          <dd>{now}</dd>
          <dt>{t("action.after")}</dt>
          <dd>{after}</dd>
        </dl>
        {proof && (
          <ProofFields isProven={proof.isProven} problem={refused ? proof.problem : null} form={ids} />
        )}
        <button className={destroys ? "button destroys" : "button main"} type="submit">
          {name}
        </button>
      </form>
    </details>
  )
}

type TextFieldProps = {
  id: string
  name: string
  label: string
  value: string | undefined
  type?: "text" | "date" | "datetime-local" | "email"
  inputMode?: "decimal" | "numeric"
  maxLength?: number
  isOptional?: boolean
}

/** A field that an action needs. */
export function TextField({
  id,
  name,
  label,
  value,
  type = "text",
  inputMode,
  maxLength = 60,
  isOptional = false,
}: TextFieldProps) {
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        inputMode={inputMode}
        required={!isOptional}
        defaultValue={value}
        maxLength={maxLength}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
      />
    </p>
  )
}
