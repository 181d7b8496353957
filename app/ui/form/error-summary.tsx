import { useEffect, useRef } from "react"
import type { RefusedForm } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "../layout/use-hydrated"

/** `errors`: translation keys by field; those of the empty name are about the whole form. */
type Summary = { formId: string; errors: RefusedForm["error"] }

/**
 * Error summary above a form that the server has refused, with a link to each field. It gets focus, unless the visitor is
 * already typing or has scrolled when hydration ends.
 */
export function ErrorSummary({ formId, errors }: Summary) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const isServed = useRef(!useHydrated())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new set of problems is read out once
  useEffect(() => {
    const isBusy = document.activeElement !== document.body || scrollY > 0
    if (!isServed.current || !isBusy) box.current?.focus()
    isServed.current = false
  }, [errors])
  const entries = Object.entries(errors ?? {}).filter(([, messages]) => messages?.length)
  if (entries.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are links
    <div className="problems" role="group" aria-label={t("checkout.problems")} tabIndex={-1} ref={box}>
      {entries.some(([field]) => field !== "") && <p>{t("checkout.problems")}</p>}
      <ul>
        {entries.map(([field, messages]) => {
          const text = t(messages?.[0] as "checkout.plan.required")
          return <li key={field}>{field === "" ? text : <a href={`#${formId}-${field}`}>{text}</a>}</li>
        })}
      </ul>
    </div>
  )
}
