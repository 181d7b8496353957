import { useEffect, useRef } from "react"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "../layout/use-hydrated"

/** What stands in the way, by field; the words are translation keys. `form` is about the whole. */
export type FieldErrors = { readonly [field: string]: readonly string[] | null | undefined }

/** The id of a field's message, for the field to name. */
export const problemId = (field: string) => `${field}-problem`

/** What a field with a problem says of itself. */
export function fieldErrorProps(problems: FieldErrors, field: string) {
  return problems[field]?.length ? { "aria-invalid": true, "aria-describedby": problemId(field) } : {}
}

/** The message beside a field. */
export function FieldError({ problems, field }: { problems: FieldErrors; field: string }) {
  const { t } = useTranslation()
  const [first] = problems[field] ?? []
  if (!first) return null
  return (
    <p className="problem" id={problemId(field)} role="alert">
      {t(first as "checkout.plan.required")}
    </p>
  )
}

/**
 * All messages at the head of the form, each leading to its field; read first after a refused form. In a page that came
 * with them, whoever is typing or has gone on already when script begins is left where he is.
 */
export function ErrorSummary({ problems }: { problems: FieldErrors }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const isServed = useRef(!useHydrated())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new set of problems is read out once
  useEffect(() => {
    const isBusy = document.activeElement !== document.body || scrollY > 0
    if (!isServed.current || !isBusy) box.current?.focus()
    isServed.current = false
  }, [problems])
  const entries = Object.entries(problems).filter(([, messages]) => messages?.length)
  if (entries.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are links
    <div className="problems" role="group" aria-label={t("checkout.problems")} tabIndex={-1} ref={box}>
      {entries.some(([field]) => field !== "form") && <p>{t("checkout.problems")}</p>}
      <ul>
        {entries.map(([field, messages]) => (
          <li key={field}>
            <ProblemLink field={field} text={t(messages?.[0] as "checkout.plan.required")} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What is about the whole form has no field to lead to. */
function ProblemLink({ field, text }: { field: string; text: string }) {
  return field === "form" ? text : <a href={`#${field}`}>{text}</a>
}
