import { getInputProps } from "@conform-to/react"
import { useRef } from "react"
import { Form } from "react-router"
import { quantityRule } from "~/domain/forms/service-rules"
import { type Money, times } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { type AppliedCredit, appliedCredit, type UsableCredit } from "~/domain/payments/usable-credit"
import { type RefusedForm, resultFor, typedInto } from "~/domain/refused-form"
import { UPSELL_QUANTITY, unitField } from "~/domain/services/upsell"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Declarations, type LawShown } from "../checkout/order-summary"
import { CreditRows } from "../checkout/quote-lines"
import { FieldError } from "../form/field-error"
import { FoldedGatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { type FormField, type TypedText, useCheckedForm } from "../form/use-checked-form"
import { useFormChoices } from "../form/use-form-choices"
import { moneyText } from "../layout/format"
import { planName } from "../layout/plan-name"
import { SupportLink } from "../layout/support-link"
import { useHydrated } from "../layout/use-hydrated"

export type UpsellOffer = {
  readonly services: readonly {
    readonly id: string
    readonly name: string
    readonly username: string
    readonly connections: number
    /** Price of one extra connection. */
    readonly unit: Money
  }[]
  readonly chosen: string
  readonly quantity: number
  readonly gateways: readonly GatewayOffer[]
  readonly gateway: GatewayId
  /** What the order will use; absent for visitors who are not signed in, or have none. */
  readonly credit?: UsableCredit | undefined
  /** Idempotency key of the form. */
  readonly key: string
}

type Panel = {
  offer: UpsellOffer
  /** Missing for resellers. */
  law?: LawShown | undefined
  lastResult: RefusedForm | null | undefined
}

type FoldedPanel = Panel & {
  /** What the folded form shows. */
  summary: string
  isOpen: boolean
}

/** The form as one of many on a page: folded, with its price in the summary. */
export function FoldedUpsellPanel({ summary, isOpen, ...panel }: FoldedPanel) {
  return (
    <section className="card folded upsell" id="upsell">
      <details open={isOpen || resultFor("upsell", panel.lastResult) != null}>
        <summary>{summary}</summary>
        <UpsellForm {...panel} />
      </details>
    </section>
  )
}

/** Refusal that only support can explain. */
const CUSTOMER_REJECTED = "upsell.customer-rejected"

const check = (typed: TypedText<"quantity" | "gateway" | "serviceid">) => ({
  quantity: quantityRule(typed("quantity")),
})

/** Upsell form: number of connections, total and gateway. */
export function UpsellPanel({ offer, lastResult }: Panel) {
  const { t } = useTranslation()
  return (
    <section className="card upsell" aria-labelledby="upsell">
      <h2 id="upsell">{t("upsell.heading")}</h2>
      <UpsellForm offer={offer} lastResult={lastResult} />
    </section>
  )
}

function UpsellForm({ offer, law, lastResult: answer }: Panel) {
  const { t } = useTranslation()
  const lastResult = resultFor("upsell", answer)
  const typedQuantity = typedInto("quantity", lastResult) ?? String(offer.quantity)
  const { form, fields, formProps } = useCheckedForm({ id: "upsell-order", lastResult, check })
  const { choices, choiceProps } = useFormChoices(
    { chosen: offer.chosen, quantity: quantityRule(typedQuantity) ? offer.quantity : Number(typedQuantity) },
    upsellIn,
  )
  const { quantity } = choices
  const service = offer.services.find(({ id }) => id === choices.chosen) ?? offer.services[0]
  if (!service) return null
  const total = times(service.unit, quantity)
  const credit = appliedCredit(offer.credit, total)
  return (
    <>
      <p className="note">{t("upsell.note")}</p>
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument {...formProps} {...choiceProps}>
        <input type="hidden" name="key" value={offer.key} />
        {offer.services.map(({ id, unit }) => (
          <input key={id} type="hidden" name={unitField(id)} value={unit.minor} />
        ))}
        <FieldError field={form} />
        {form.errors?.includes(CUSTOMER_REJECTED) && <SupportLink />}
        <FieldError field={fields.serviceid} />
        {offer.services.length > 1 ? (
          <Services offer={offer} />
        ) : (
          <input type="hidden" name="serviceid" value={service.id} />
        )}
        <Quantity field={fields.quantity} typed={typedQuantity} quantity={quantity} />
        <Sum unit={service.unit} total={total} credit={credit} />
        <FoldedGatewayChoice gateways={offer.gateways} chosen={offer.gateway} field={fields.gateway} />
        {law?.declarations && (
          <Declarations words={law.declarations} formId="upsell-order" lastResult={lastResult} />
        )}
        <button className="main" name="intent" value="upsell">
          {law?.orderButton ?? credit?.covered ?? t("checkout.pay")}
        </button>
      </Form>
    </>
  )
}

/** The choices of the form; a quantity that is not valid, as while typing, leaves the one before. */
function upsellIn(form: FormData, before: { chosen: string; quantity: number }) {
  const typed = String(form.get("quantity"))
  return {
    chosen: String(form.get("serviceid")),
    quantity: quantityRule(typed) ? before.quantity : Number(typed),
  }
}

function Services({ offer }: { offer: UpsellOffer }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <fieldset className="bare">
      <legend className="hidden">{t("success.services")}</legend>
      {offer.services.map(({ id, name, username, connections }) => (
        <label key={id} className="choice method">
          <input type="radio" name="serviceid" value={id} defaultChecked={id === offer.chosen} />
          <span className="gateway-text">
            <strong>{planName(name, locale)}</strong>{" "}
            <small>
              {username} · {t("success.connections", { count: connections })}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type Count = { field: FormField; typed: string; quantity: number }

/** A number field, which the form submits, and with script a slider that sets it. */
function Quantity({ field, typed, quantity }: Count) {
  const { t } = useTranslation()
  const scripted = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const limits = { min: UPSELL_QUANTITY.min, max: UPSELL_QUANTITY.max, step: 1 }
  return (
    <>
      <label className="field" htmlFor={field.id}>
        {t("upsell.quantity")}
      </label>
      <div className="quantity">
        {scripted && (
          <input
            type="range"
            {...limits}
            aria-label={t("upsell.quantity")}
            value={quantity}
            onChange={({ currentTarget }) => {
              // The form's own handler runs afterwards and reads the field.
              if (input.current) input.current.value = currentTarget.value
            }}
          />
        )}
        <input
          {...getInputProps(field, { type: "number", value: false })}
          inputMode="numeric"
          ref={input}
          {...limits}
          required
          defaultValue={typed}
        />
      </div>
      <FieldError field={field} />
    </>
  )
}

function Sum({ unit, total, credit }: { unit: Money; total: Money; credit: AppliedCredit | null }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="total">
        <span>{t("upsell.each", { price: moneyText(unit, locale) })}</span>{" "}
        <output aria-live="polite">{moneyText(total, locale)}</output>
      </p>
      <CreditRows credit={credit} />
      {/* In `noscript`: removing the button at hydration would shift the layout. */}
      <noscript>
        <button name="intent" value="upsell-update" formNoValidate>
          {t("checkout.update")}
        </button>
      </noscript>
    </>
  )
}
