import { MINUTE, SECOND } from "~/domain/calendar"
import type { RefusedForm } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ErrorSummary } from "../form/error-summary"
import { spanText } from "../layout/format"

type Problem = {
  form: { id: string; errorId: string }
  lastResult: RefusedForm | null
  retryAfterSeconds: number
}

/** What is wrong with a refused form: a message about the whole form, or links to its fields. */
export function FormProblem({ form, lastResult, retryAfterSeconds }: Problem) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { "": aboutForm, ...errors } = lastResult?.error ?? {}
  const [message] = aboutForm ?? []
  const minutes = Math.ceil((retryAfterSeconds * SECOND) / MINUTE) * MINUTE
  return (
    <>
      {message && (
        <div className="problems" role="alert" id={form.errorId}>
          <p>{t(message as "signIn.tooMany", { time: spanText(minutes, locale) })}</p>
        </div>
      )}
      <ErrorSummary formId={form.id} errors={errors} />
    </>
  )
}

/** ARIA attributes of fields that a message about the whole form is about. */
export function describedByProblem({ errorId }: { errorId: string }, lastResult: RefusedForm | null) {
  return lastResult?.error?.[""]?.length ? { ariaDescribedBy: errorId } : {}
}
