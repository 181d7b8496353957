import { cycles } from "~/domain/catalogue/billing-cycle"
import { promotionTypes } from "~/domain/catalogue/promotion-type"
import type { TypedPromotion } from "~/domain/forms/typed-promotion"
import { currencies } from "~/domain/money/money"
import { consoleText as t } from "~/i18n/console-texts.server"
import type { NamedProduct } from "./promotion-parts.server"

type PromotionFieldsProps = {
  /** A name for the fields' ids. */
  form: string
  value: TypedPromotion
  products: readonly NamedProduct[]
}

/** What a promotion gives, where it applies, and its limits. */
export function PromotionFields({ form, value, products }: PromotionFieldsProps) {
  return (
    <>
      <Boxes
        form={form}
        name="products"
        legend={t("promotions.products")}
        ticked={value.products}
        choices={products.map(({ id, name }) => ({ value: id, text: `${name} (${id})` }))}
      />
      <p className="field">
        <label htmlFor={`${form}-kind`}>{t("promotions.kind")}</label>
        <select id={`${form}-kind`} name="kind" defaultValue={value.kind}>
          <option value={promotionTypes.percentage}>{t("promotions.percentage")}</option>
          <option value={promotionTypes.fixed}>{t("promotions.fixed")}</option>
        </select>
      </p>
      <TextField form={form} name="value" label={t("promotions.value")} value={value.value} isRequired />
      <p className="field">
        <label htmlFor={`${form}-currency`}>{t("promotions.currency")}</label>
        <select id={`${form}-currency`} name="currency" defaultValue={value.currency}>
          <option value="">{t("promotions.noCurrency")}</option>
          {currencies.map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </select>
      </p>
      <TextField form={form} name="from" label={t("promotions.firstDay")} value={value.from} type="date" />
      <TextField
        form={form}
        name="to"
        label={t("promotions.lastDay")}
        value={value.to}
        type="date"
        hint={t("promotions.daysHint")}
      />
      <TextField
        form={form}
        name="maxUses"
        label={t("promotions.maxUses")}
        value={value.maxUses}
        hint={t("promotions.limitHint")}
      />
      <TextField
        form={form}
        name="usesPerPerson"
        label={t("promotions.maxPerPerson")}
        value={value.usesPerPerson}
        hint={t("promotions.limitHint")}
      />
      <TextField
        form={form}
        name="renewals"
        label={t("promotions.renewals")}
        value={value.renewals}
        hint={t("promotions.renewalsHint")}
      />
      <Boxes
        form={form}
        name="cycles"
        legend={t("promotions.cyclesHint")}
        ticked={value.cycles}
        choices={cycles.map((cycle) => ({ value: cycle, text: cycle }))}
      />
    </>
  )
}

type TextFieldProps = {
  form: string
  name: string
  label: string
  value: string
  type?: "text" | "date"
  hint?: string
  isRequired?: boolean
}

function TextField({ form, name, label, value, type = "text", hint, isRequired = false }: TextFieldProps) {
  const id = `${form}-${name}`
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        required={isRequired}
        maxLength={12}
        defaultValue={value}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={hint && `${id}-hint`}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </p>
  )
}

type BoxesProps = {
  form: string
  name: "products" | "cycles"
  legend: string
  ticked: string
  choices: readonly { readonly value: string; readonly text: string }[]
}

function Boxes({ form, name, legend, ticked, choices }: BoxesProps) {
  const values = ticked.split(",")
  return (
    <fieldset className="types">
      <legend>{legend}</legend>
      {choices.map(({ value, text }) => {
        const id = `${form}-${name}-${value}`
        return (
          <label key={value} className="check" htmlFor={id}>
            <input
              id={id}
              type="checkbox"
              name={name}
              value={value}
              defaultChecked={values.includes(value)}
            />
            <span>{text}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
