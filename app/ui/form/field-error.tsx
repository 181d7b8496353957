import { useTranslation } from "~/i18n/use-translation"

/** The error message of a field; fields refer to it with `aria-describedby`. */
export function FieldError({ field }: { field: { errorId: string; errors: string[] | undefined } }) {
  const { t } = useTranslation()
  const [first] = field.errors ?? []
  if (!first) return null
  return (
    <p className="problem" id={field.errorId} role="alert">
      {t(first as "checkout.plan.required")}
    </p>
  )
}
