import { useEffect, useRef } from "react"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "../layout/use-hydrated"

/** Translation keys of errors by field; `form` is about the whole form. */
export type FieldErrors = { readonly [field: string]: readonly string[] | null | undefined }

/** Id of a field's message, for `aria-describedby`. */
export const fieldErrorId = (field: string) => `${field}-problem`

/** ARIA attributes of a field with an error. */
export function fieldErrorProps(errors: FieldErrors, field: string) {
  return errors[field]?.length ? { "aria-invalid": true, "aria-describedby": fieldErrorId(field) } : {}
}

/** Error message of a field. */
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
 * Error summary above the form, with a link to each field. It gets focus after a rejected form, unless the visitor is
 * already typing or has scrolled when hydration ends.
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

/** Errors of the whole form have no field to link to. */
function ErrorLink({ field, text }: { field: string; text: string }) {
  return field === "form" ? text : <a href={`#${field}`}>{text}</a>
}
