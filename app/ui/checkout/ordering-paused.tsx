import { useTranslation } from "~/i18n/use-translation"
import type { FieldErrors } from "../form/form-errors"

type Ordering = { readonly paused: boolean; readonly errors: FieldErrors }

/** Notice that ordering is paused because the billing backend is unavailable. A rejected form shows it in its own errors. */
export function OrderingPaused({ paused, errors }: Ordering) {
  const { t } = useTranslation()
  if (!paused || errors.form) return null
  return (
    <div className="warning" role="status">
      <p>{t("checkout.paused")}</p>
    </div>
  )
}
