import { getInputProps } from "@conform-to/react"
import { type KeyboardEvent, useEffect, useRef } from "react"
import { DISCOUNTED } from "~/domain/forms/field-rules"
import type { Money } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import type { FormField } from "../form/use-checked-form"
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
      {amount && (
        <>
          <span>{discountText(amount, locale)}</span>
          <input type="hidden" name={DISCOUNTED} />
        </>
      )}
    </p>
  )
}

type Promo = { field: FormField; code: string | null; typed: string; codeError: string | null }

/** The field of a promo code, folded until somebody has one: open when a typed code was refused or does not fit. */
export function PromoField({ field, code, typed, codeError }: Promo) {
  const { t } = useTranslation()
  const input = useFreshField(code, typed)
  const { errorId } = field
  const errors = field.errors ?? (codeError === null ? undefined : [codeError])
  return (
    <details className="fold" open={errors !== undefined || typed !== ""}>
      <summary>{t("checkout.promo.ask")}</summary>
      <label className="hidden" htmlFor={field.id}>
        {t("checkout.promo.label")}
      </label>
      <div className="promo">
        <input
          {...getInputProps(field, { type: "text", value: false })}
          {...(errors && { "aria-invalid": true, "aria-describedby": errorId })}
          ref={input}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={t("checkout.promo.label")}
          defaultValue={typed}
          onKeyDown={applyOnEnter}
        />
        <button name="intent" value="apply-promo" formNoValidate>
          {t("checkout.promo.apply")}
        </button>
      </div>
      <FieldError field={{ errorId, errors }} />
    </details>
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
    if (document.activeElement !== document.body) return
    const fold = field.current.closest("details")
    if (fold) fold.open = true
    field.current.focus()
  }, [code, typed])
  return field
}

/** Enter in the promo code field applies the code instead of paying. */
function applyOnEnter(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== "Enter") return
  event.preventDefault()
  event.currentTarget.form?.querySelector<HTMLButtonElement>('button[value="apply-promo"]')?.click()
}
