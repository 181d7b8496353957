import { getInputProps } from "@conform-to/react"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { DISCOUNTED, REFUSED_CODE } from "~/domain/forms/hidden-fields"
import type { Money } from "~/domain/money/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import type { FormField } from "../form/use-checked-form"
import { discountText } from "../layout/format"
import { CrossIcon } from "../layout/icons"

/** Without script the answer opens at the order summary, which has code, message and total on one screen of a phone. */
const SUMMARY = "#summary"

/** The applied promo code with its discount, and a button to remove it. `amount` null: not for the selected plan. */
export function AppliedCode({ code, amount }: { code: string; amount: Money | null }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <p className={amount ? "applied discount" : "applied"}>
      <span>{t("checkout.promo.applied", { code })}</span>
      <button className="quiet" name="intent" value="remove-promo" formAction={SUMMARY} formNoValidate>
        <CrossIcon />
        <span className="hidden">{t("checkout.promo.remove", { code })}</span>
      </button>
      {amount && (
        <>
          <input type="hidden" name={DISCOUNTED} />
          <span>{discountText(amount, locale)}</span>
        </>
      )}
    </p>
  )
}

type Promo = { field: FormField; code: string | null; typed: string; codeError: string | null }

/**
 * The field of a promo code, folded until somebody has one: open when a typed code was refused or does not fit. Hidden while a code is
 * applied, which is removed before another one is typed.
 */
export function PromoField({ field, code, typed, codeError }: Promo) {
  const { t } = useTranslation()
  const { errorId } = field
  const errors = field.errors ?? (codeError ? [codeError] : undefined)
  const isOpen = errors !== undefined || typed !== ""
  const [isOpenAtFirst] = useState(isOpen)
  const input = useFreshField(code, typed, isOpen)
  // Typing takes the message away, and must not fold the field that is typed in.
  useEffect(() => {
    if (isOpen) input.current?.closest("details")?.setAttribute("open", "")
  }, [input, isOpen])
  return (
    <details className="fold" open={isOpenAtFirst} hidden={code !== null && !isOpen}>
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
        <button name="intent" value="apply-promo" formAction={SUMMARY} formNoValidate>
          {t("checkout.promo.apply")}
        </button>
      </div>
      <FieldError field={{ errorId, errors }} />
      {/* Until another code is typed. */}
      {errors?.[1] && (
        <p className="note">
          {errors[1]}
          <input type="hidden" name={REFUSED_CODE} value={typed} />
        </p>
      )}
    </details>
  )
}

/**
 * Clears the field when the applied code changes, and folds it once a code is applied. Moves the focus here from a button that has disappeared,
 * and to the button that removes the code from what is hidden.
 */
function useFreshField(code: string | null, typed: string, isOpen: boolean) {
  const field = useRef<HTMLInputElement>(null)
  const known = useRef(code)
  useEffect(() => {
    const fold = field.current?.closest("details")
    if (!field.current || !fold || known.current === code) return
    known.current = code
    field.current.value = typed
    if (code) fold.open = isOpen
    if (losesFocus(fold)) focusIn(fold, field.current, !code)
  }, [code, typed, isOpen])
  return field
}

/** Of an element that is hidden now, or of a button that has disappeared. */
const losesFocus = (fold: HTMLDetailsElement) =>
  document.activeElement?.contains(fold) || fold.contains(document.activeElement)

function focusIn(fold: HTMLDetailsElement, field: HTMLInputElement, opens: boolean) {
  fold.open ||= opens
  const shown = fold.open ? field : field.form?.querySelector<HTMLElement>('[value="remove-promo"]')
  shown?.focus()
}

/** Enter in the promo code field applies the code instead of paying. */
function applyOnEnter(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== "Enter") return
  event.preventDefault()
  event.currentTarget.form?.querySelector<HTMLButtonElement>('button[value="apply-promo"]')?.click()
}
