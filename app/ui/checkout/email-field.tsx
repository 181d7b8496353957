import type { MouseEvent } from "react"
import { COUNTED_STEPS } from "~/domain/forms/hidden-fields"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { EmailInput } from "../form/email-input"
import type { FormField } from "../form/use-checked-form"
import { useDraftSteps } from "./use-draft-steps"

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
