import { useTranslation } from "~/i18n/use-translation"
import type { FieldErrors } from "../form/form-errors"

type Ordering = { readonly paused: boolean; readonly errors: FieldErrors }

/** The books do not answer: what is for sale can be looked at, not ordered. A refused form says it for itself. */
export function OrderingPaused({ paused, errors }: Ordering) {
  const { t } = useTranslation()
  if (!paused || errors.form) return null
  return (
    <div className="warning" role="status">
      <p>{t("checkout.paused")}</p>
    </div>
  )
}
