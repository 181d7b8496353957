import { getInputProps } from "@conform-to/react"
import { EMAIL_LENGTH } from "~/domain/customers/email"
import { UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { KEPT_EMAIL } from "~/domain/forms/hidden-fields"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "./field-error"
import type { FormField } from "./use-checked-form"

type EmailProps = { field: FormField; typed: string; isLabelHidden?: boolean }

export function EmailInput({ field, typed, isLabelHidden = false }: EmailProps) {
  const { t } = useTranslation()
  return (
    <>
      <label className={isLabelHidden ? "hidden" : "field"} htmlFor={field.id}>
        {t("checkout.email.label")}
      </label>
      <input
        {...getInputProps(field, { type: "email", value: false })}
        inputMode="email"
        autoComplete="email"
        enterKeyHint="go"
        required
        maxLength={EMAIL_LENGTH}
        defaultValue={typed}
      />
      <FieldError field={field} />
      {field.errors?.[0] === UNREACHABLE_EMAIL && <input type="hidden" name={KEPT_EMAIL} value={typed} />}
    </>
  )
}
