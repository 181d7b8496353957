import { getInputProps } from "@conform-to/react"
import { useEffect, useRef, useState } from "react"
import { Form } from "react-router"
import { type RefusedForm, resultFor, typedInto } from "~/domain/forms/refused-form"
import { quantityRule } from "~/domain/forms/service-rules"
import type { GatewayId } from "~/domain/gateway-id"
import { type Money, times } from "~/domain/money"
import { UPSELL_QUANTITY, unitField } from "~/domain/upsell"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { GatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { type FormField, type TypedText, useCheckedForm } from "../form/use-checked-form"
import { moneyText } from "../layout/format"
import { planName } from "../layout/plan-name"
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
  /** Idempotency key of the form. */
  readonly key: string
}

type Panel = { offer: UpsellOffer; lastResult: RefusedForm | null | undefined }

const check = (typed: TypedText<"quantity" | "gateway" | "serviceid">) => ({
  quantity: quantityRule(typed("quantity")),
})

/** Upsell form: number of connections, total and gateway. */
export function UpsellPanel({ offer, lastResult: answer }: Panel) {
  const { t } = useTranslation()
  const lastResult = resultFor("upsell", answer)
  const typedQuantity = typedInto("quantity", lastResult) ?? String(offer.quantity)
  const { form, fields, formProps } = useCheckedForm({ id: "upsell-order", lastResult, check })
  const [chosen, choose] = useState(offer.chosen)
  const [quantity, setQuantity] = useState(
    quantityRule(typedQuantity) ? offer.quantity : Number(typedQuantity),
  )
  const service = offer.services.find(({ id }) => id === chosen) ?? offer.services[0]
  if (!service) return null
  return (
    <section className="card upsell" aria-labelledby="upsell">
      <h2 id="upsell">{t("upsell.heading")}</h2>
      <p className="note">{t("upsell.note")}</p>
      {/* A full document navigation, since the gateway is another site. */}
      <Form method="post" reloadDocument {...formProps}>
        <input type="hidden" name="key" value={offer.key} />
        {offer.services.map(({ id, unit }) => (
          <input key={id} type="hidden" name={unitField(id)} value={unit.minor} />
        ))}
        <FieldError field={form} />
        <FieldError field={fields.serviceid} />
        {offer.services.length > 1 ? (
          <Services offer={offer} chosen={chosen} choose={choose} />
        ) : (
          <input type="hidden" name="serviceid" value={service.id} />
        )}
        <Quantity
          field={fields.quantity}
          typed={typedQuantity}
          quantity={quantity}
          setQuantity={setQuantity}
        />
        <Sum unit={service.unit} quantity={quantity} />
        <GatewayChoice gateways={offer.gateways} chosen={offer.gateway} field={fields.gateway} />
        <button className="main" name="intent" value="upsell">
          {t("checkout.pay")}
        </button>
      </Form>
    </section>
  )
}

type Choice = { offer: UpsellOffer; chosen: string; choose(id: string): void }

function Services({ offer, chosen, choose }: Choice) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <fieldset className="bare">
      <legend className="hidden">{t("success.services")}</legend>
      {offer.services.map(({ id, name, username, connections }) => (
        <label key={id} className="choice method">
          <input
            type="radio"
            name="serviceid"
            value={id}
            defaultChecked={id === chosen}
            onChange={() => choose(id)}
          />
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

type Count = { field: FormField; typed: string; quantity: number; setQuantity(quantity: number): void }

/** A number field, and with script a slider. The number field counts, also for input before hydration. */
function Quantity({ field, typed, quantity, setQuantity }: Count) {
  const { t } = useTranslation()
  const scripted = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when script takes over
  useEffect(() => void (input.current && take(input.current.valueAsNumber)), [])
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
              take(currentTarget.valueAsNumber)
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
          onChange={({ currentTarget }) => take(currentTarget.valueAsNumber)}
        />
      </div>
      <FieldError field={field} />
    </>
  )

  /** The field may be empty or invalid while typing. */
  function take(typed: number) {
    if (Number.isInteger(typed) && typed >= limits.min && typed <= limits.max) setQuantity(typed)
  }
}

function Sum({ unit, quantity }: { unit: Money; quantity: number }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="total">
        <span>{t("upsell.each", { price: moneyText(unit, locale) })}</span>{" "}
        <output aria-live="polite">{moneyText(times(unit, quantity), locale)}</output>
      </p>
      {/* In `noscript`: removing the button at hydration would shift the layout. */}
      <noscript>
        <button name="intent" value="upsell-update" formNoValidate>
          {t("checkout.update")}
        </button>
      </noscript>
    </>
  )
}
