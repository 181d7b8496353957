import { useTranslation } from "~/i18n/use-translation"
import type { FieldErrors } from "../form/form-errors"

type Ordering = { readonly paused: boolean; readonly problems: FieldErrors }

/** The books do not answer: what is for sale can be looked at, not ordered. A refused form says it for itself. */
export function OrderingPaused({ paused, problems }: Ordering) {
  const { t } = useTranslation()
  if (!paused || problems.form) return null
  return (
    <div className="warning" role="status">
      <p>{t("checkout.paused")}</p>
    </div>
  )
}
