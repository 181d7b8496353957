import { useEffect, useRef } from "react"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "../layout/use-hydrated"

/** What stands in the way, by field; the words are translation keys. `form` is about the whole. */
export type FieldErrors = { readonly [field: string]: readonly string[] | null | undefined }

/** The id of a field's message, for the field to name. */
export const fieldErrorId = (field: string) => `${field}-problem`

/** What a field with a problem says of itself. */
export function fieldErrorProps(errors: FieldErrors, field: string) {
  return errors[field]?.length ? { "aria-invalid": true, "aria-describedby": fieldErrorId(field) } : {}
}

/** The message beside a field. */
export function FieldError({ errors, field }: { errors: FieldErrors; field: string }) {
  const { t } = useTranslation()
  const [first] = errors[field] ?? []
  if (!first) return null
  return (
    <p className="problem" id={fieldErrorId(field)} role="alert">
      {t(first as "checkout.plan.required")}
    </p>
  )
}

/**
 * All messages at the head of the form, each leading to its field; read first after a refused form. In a page that came
 * with them, whoever is typing or has gone on already when script begins is left where he is.
 */
export function ErrorSummary({ errors }: { errors: FieldErrors }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const isServed = useRef(!useHydrated())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new set of problems is read out once
  useEffect(() => {
    const isBusy = document.activeElement !== document.body || scrollY > 0
    if (!isServed.current || !isBusy) box.current?.focus()
    isServed.current = false
  }, [errors])
  const entries = Object.entries(errors).filter(([, messages]) => messages?.length)
  if (entries.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are links
    <div className="problems" role="group" aria-label={t("checkout.problems")} tabIndex={-1} ref={box}>
      {entries.some(([field]) => field !== "form") && <p>{t("checkout.problems")}</p>}
      <ul>
        {entries.map(([field, messages]) => (
          <li key={field}>
            <ErrorLink field={field} text={t(messages?.[0] as "checkout.plan.required")} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What is about the whole form has no field to lead to. */
function ErrorLink({ field, text }: { field: string; text: string }) {
  return field === "form" ? text : <a href={`#${field}`}>{text}</a>
}
