import { getInputProps } from "@conform-to/react"
import type { MouseEvent } from "react"
import { EMAIL_LENGTH } from "~/domain/email"
import { COUNTED_STEPS, KEPT_EMAIL, UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { useTranslation } from "~/i18n/use-translation"
import { useDraftSteps } from "../checkout/use-draft-steps"
import { Step } from "./checkout-step"
import { FieldError } from "./field-error"
import type { FormField } from "./use-checked-form"

type Email = { field: FormField; typed: string }

/** The e-mail field as a step of the checkout. */
export function EmailField({ number, ...email }: Email & { number: number }) {
  const { t } = useTranslation()
  const { counted, offer, accepted } = useDraftSteps()
  function accept({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
    const input = form?.elements.namedItem("email") as HTMLInputElement
    input.value = offer?.email ?? ""
    input.focus()
    accepted()
  }
  return (
    <Step number={number} heading={t("checkout.email.heading")}>
      {/* The heading above says the same to those who see it. */}
      <EmailInput {...email} isLabelHidden />
      <div role="status">
        {offer?.email && (
          // biome-ignore lint/a11y/noAutofocus: only where the field before it was left by Tab
          <button type="button" className="quiet" autoFocus={offer.isNext} onClick={accept}>
            {t("checkout.email.likely", { email: offer.email })}
          </button>
        )}
      </div>
      <p className="note">{t("checkout.email.note")}</p>
      <input type="hidden" name={COUNTED_STEPS} ref={counted} />
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
