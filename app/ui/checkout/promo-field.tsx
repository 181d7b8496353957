import { type KeyboardEvent, useEffect, useRef } from "react"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"
import { discountText } from "../layout/format"
import { CrossIcon } from "../layout/icons"

/** The applied promo code with its discount, and a button to remove it. `amount` null: not for the selected plan. */
export function AppliedCode({ code, amount }: { code: string; amount: Money | null }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <p className={amount ? "applied discount" : "applied"}>
      <span>{t("checkout.promo.applied", { code })}</span>
      <button className="quiet" name="intent" value="remove-promo" formNoValidate>
        <CrossIcon />
        <span className="hidden">{t("checkout.promo.remove", { code })}</span>
      </button>
      {amount && <span>{discountText(amount, locale)}</span>}
    </p>
  )
}

type Field = { code: string | null; typed: string; errors: FieldErrors }

export function PromoField({ code, typed, errors }: Field) {
  const { t } = useTranslation()
  const field = useFreshField(code, typed)
  return (
    <>
      <label className="hidden" htmlFor="promoCode">
        {t("checkout.promo.label")}
      </label>
      <div className="promo">
        <input
          ref={field}
          id="promoCode"
          name="promoCode"
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={t("checkout.promo.label")}
          defaultValue={typed}
          onKeyDown={applyOnEnter}
          {...fieldErrorProps(errors, "promoCode")}
        />
        <button name="intent" value="apply-promo" formNoValidate>
          {t("checkout.promo.apply")}
        </button>
      </div>
      <FieldError errors={errors} field="promoCode" />
    </>
  )
}

/** Clears the field when the applied code changes, and moves the focus here from a button that has disappeared. */
function useFreshField(code: string | null, typed: string) {
  const field = useRef<HTMLInputElement>(null)
  const known = useRef(code)
  useEffect(() => {
    if (!field.current || known.current === code) return
    known.current = code
    field.current.value = typed
    if (document.activeElement === document.body) field.current.focus()
  }, [code, typed])
  return field
}

/** Enter in the promo code field applies the code instead of paying. */
function applyOnEnter(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== "Enter") return
  event.preventDefault()
  event.currentTarget.form?.querySelector<HTMLButtonElement>('button[value="apply-promo"]')?.click()
}
