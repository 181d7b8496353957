import { EMAIL_LENGTH } from "~/domain/email"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "./checkout-step"
import { FieldError, fieldErrorProps } from "./form-errors"
import type { FieldCheck } from "./use-field-check"

type Field = { typed: string; check: FieldCheck }

/** The e-mail field as a step of the checkout. */
export function EmailField({ number, ...field }: Field & { number: number }) {
  const { t } = useTranslation()
  return (
    <Step number={number} heading={t("checkout.email.heading")}>
      <EmailInput {...field} />
      <p className="note">{t("checkout.email.note")}</p>
    </Step>
  )
}

/** With script an error appears when the field loses focus. */
export function EmailInput({ typed, check }: Field) {
  const { t } = useTranslation()
  const { errors, validate, clearErrors } = check
  return (
    <>
      <label className="field" htmlFor="email">
        {t("checkout.email.label")}
      </label>
      <input
        id="email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        maxLength={EMAIL_LENGTH}
        defaultValue={typed}
        onBlur={({ currentTarget: { value } }) => value && validate(value)}
        onInput={() => errors.email && clearErrors()}
        {...fieldErrorProps(errors, "email")}
      />
      <FieldError errors={errors} field="email" />
    </>
  )
}
