import { getInputProps } from "@conform-to/react"
import { EMAIL_LENGTH } from "~/domain/email"
import { KEPT_EMAIL, UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "./checkout-step"
import { FieldError } from "./field-error"
import type { FormField } from "./use-checked-form"

type Email = { field: FormField; typed: string }

/** The e-mail field as a step of the checkout. */
export function EmailField({ number, ...email }: Email & { number: number }) {
  const { t } = useTranslation()
  return (
    <Step number={number} heading={t("checkout.email.heading")}>
      {/* The heading above says the same to those who see it. */}
      <EmailInput {...email} isLabelHidden />
      <p className="note">{t("checkout.email.note")}</p>
    </Step>
  )
}

export function EmailInput({ field, typed, isLabelHidden = false }: Email & { isLabelHidden?: boolean }) {
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
        required
        maxLength={EMAIL_LENGTH}
        defaultValue={typed}
      />
      <FieldError field={field} />
      {field.errors?.[0] === UNREACHABLE_EMAIL && <input type="hidden" name={KEPT_EMAIL} value={typed} />}
    </>
  )
}
