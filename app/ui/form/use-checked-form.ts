import {
  type DefaultValue,
  type FieldMetadata,
  getFormProps,
  type Intent,
  parse,
  useForm,
} from "@conform-to/react"
import type { FocusEvent, FormEvent } from "react"
import type { RefusedForm } from "~/domain/refused-form"

/** A field of a form, with its ids and errors. */
export type FormField = FieldMetadata<string>

/** What a form element takes. */
export type FormProps = ReturnType<typeof useCheckedForm>["formProps"]

/** Reads the typed text of a field; empty if the form does not send it. */
export type TypedText<Name extends string> = (name: Name) => string

/** The checked fields, each with what is wrong with it: a translation key, or null. */
type Checked<Name extends string> = Partial<Record<Name, string | null>>

type CheckedForm<Name extends string> = {
  /** Id of the form, and the start of its fields' ids. */
  id: string
  /** The server's answer if it has refused the form. */
  lastResult: RefusedForm | null | undefined
  defaultValue?: DefaultValue<Record<Name, string>>
  /** Checks the fields in the browser, by the rules of the domain that the server's schema calls. */
  check: (typed: TypedText<Name>) => Checked<Name>
}

/**
 * A form that is checked in the browser as on the server. A field's error appears when the field is left, or with the
 * submission, and goes while the field is corrected. Without script the server's answer shows the same.
 */
export function useFormInBrowser<Name extends string>({ check, lastResult, ...options }: CheckedForm<Name>) {
  const [form, fields] = useForm<Record<Name, string>, Payload>({
    ...options,
    lastResult: lastResult ?? nothingRefused,
    defaultNoValidate: false,
    onValidate: ({ formData, submitter }) =>
      parse(formData, {
        resolve(payload: Payload, intent): Verdict {
          const typed = (name: string) => textOf(payload[name])
          const checked = check(typed)
          if (intent) return { error: errorsWhileTyping({ intent, typed, checked, shown: form.allErrors }) }
          // Such a button submits what there is, as without script.
          return submitter?.formNoValidate ? { error: null } : verdict(checked, payload)
        },
      }),
  })

  /** Leaving a field shows its error; typing only removes it. */
  function onInput({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement
    if (form.allErrors[name]) form.validate({ name: name as Name })
  }

  /**
   * In place of conform, which would show the error during the press that leaves the field: a tap would miss what it moves. An error that
   * is shown is right already, and the server's is not found again. Without a name, as of the list of errors, all fields would be checked.
   */
  function onBlur({ target: { name, type } }: FocusEvent<HTMLFormElement>) {
    if (name && type !== "submit" && !form.allErrors[name]) setTimeout(() => form.validate({ name }))
  }

  return { form, fields, formProps: { ...getFormProps(form), id: options.id, onInput, onBlur } }
}

/**
 * The same form as the server renders it: once, from its answer or the default values, with the ids and attributes that conform gives
 * it in the browser. conform builds a field anew for each property that is read, by getters, which V8 keeps with all they refer to
 * until it collects the whole heap: two fifths of what a service page left behind.
 */
function formOnServer<Name extends string>(options: CheckedForm<Name>): FormInBrowser<Name> {
  const { id, lastResult, defaultValue } = options
  const errors: Errors = lastResult?.error ?? {}
  const values = lastResult?.initialValue ?? (defaultValue as Payload | undefined) ?? {}
  const form = { id, errorId: `${id}-error`, errors: errors[""], allErrors: errors, noValidate: false }
  const known = new Map<string, FormField>()
  const fields = new Proxy({} as FormInBrowser<Name>["fields"], {
    get(_, name) {
      if (typeof name !== "string") return undefined
      const field = known.get(name) ?? fieldOnServer(name, { id, errors, values })
      known.set(name, field)
      return field
    },
  })
  const shown = form as unknown as FormInBrowser<Name>["form"]
  return { form: shown, fields, formProps: getFormProps(shown) as FormInBrowser<Name>["formProps"] }
}

/** The form's inputs have their constraints as attributes; none are passed to conform. */
const unconstrained = {
  required: undefined,
  minLength: undefined,
  maxLength: undefined,
  pattern: undefined,
  min: undefined,
  max: undefined,
  step: undefined,
  multiple: undefined,
  accept: undefined,
}

type Rendered = { readonly id: string; readonly errors: Errors; readonly values: Readonly<Payload> }

function fieldOnServer(name: string, { id: formId, errors, values }: Rendered): FormField {
  const id = `${formId}-${name}`
  const ids = { id, name, formId, errorId: `${id}-error`, descriptionId: `${id}-description` }
  // conform leaves empty texts out.
  const value = values[name] || undefined
  const state = { errors: errors[name], valid: errors[name] === undefined, initialValue: value, value }
  return Object.assign({}, unconstrained, ids, state) as unknown as FormField
}

type FormInBrowser<Name extends string> = ReturnType<typeof useFormInBrowser<Name>>

/** See `useFormInBrowser`. */
export const useCheckedForm = import.meta.env.SSR ? formOnServer : useFormInBrowser

/** Replaces the answer to an earlier submission, whose errors would stay. */
const nothingRefused: RefusedForm = {}

type Payload = Record<string, unknown>
type Errors = Record<string, string[] | null>
type Verdict = { error: Errors | null } | { value: Payload }

/** The errors of a submission; without any it is sent. */
function verdict(checked: Checked<string>, value: Payload): Verdict {
  const error = messagesOf(checked)
  return Object.keys(error).length > 0 ? { error } : { value }
}

type State = {
  intent: Intent
  typed: TypedText<string>
  checked: Checked<string>
  /** The errors that the form shows now. */
  shown: Errors
}

/**
 * The errors after a field was left or corrected; null keeps what the form shows. An empty field is no mistake before the
 * submission, and other fields keep the errors that only the server finds.
 */
function errorsWhileTyping({ intent, typed, checked, shown }: State): Errors {
  const field = intent.type === "validate" ? (intent.payload.name ?? "") : ""
  const errors = messagesOf(checked)
  const others = Object.keys(shown).filter((name) => name !== field && !(name in checked))
  const empty = Object.keys(errors).filter((name) => typed(name) === "")
  for (const name of [...others, ...empty]) errors[name] = null
  return errors
}

function messagesOf(checked: Checked<string>): Errors {
  const wrong = Object.entries(checked).flatMap(([name, message]) => (message ? [{ name, message }] : []))
  return Object.fromEntries(wrong.map(({ name, message }) => [name, [message]]))
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
