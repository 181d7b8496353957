import { cycles } from "~/domain/billing-cycle"
import { currencies } from "~/domain/money"
import { consoleText as t } from "~/i18n/console-texts.server"
import { TextField } from "./action-form.server"
import { consoleHref } from "./console-frame.server"

export type TypedPrices = Readonly<Record<string, string>>

export function productHref(pid: string): string {
  return consoleHref(`/admin/catalogue/products/${encodeURIComponent(pid)}`)
}

export function optionHref(id: string): string {
  return consoleHref(`/admin/catalogue/options/${encodeURIComponent(id)}`)
}

/** The form of a new product, with what another one has. */
export function newProductHref(list: "plans" | "resellerPlans", from?: string): string {
  const query = new URLSearchParams({ list, ...(from !== undefined && { from }) })
  return consoleHref(`/admin/catalogue/products?${query}`)
}

/** A field for the price of each currency and cycle; an empty one is not sold. */
export function PriceFields({ prefix, prices, of }: { prefix: string; prices: TypedPrices; of: string }) {
  return currencies.map((currency) => (
    <fieldset key={currency} className="prices">
      <legend>{t("catalogue.pricesIn", { of, currency })}</legend>
      {cycles.map((cycle) => {
        const name = `${prefix}.${currency}.${cycle}`
        return (
          <TextField
            key={cycle}
            id={name}
            name={name}
            label={`${currency} ${t(`promotions.cycle.${cycle}`)}`}
            value={prices[`${currency}.${cycle}`] ?? ""}
            inputMode="decimal"
            maxLength={12}
            isOptional
          />
        )
      })}
    </fieldset>
  ))
}

/** Shows the checkout with what is typed, also without a reason and a password. */
export function PreviewButton() {
  return (
    <>
      <p>{t("catalogue.previewLead")}</p>
      <button className="button" type="submit" name="preview" value="on" formNoValidate>
        {t("catalogue.preview")}
      </button>
    </>
  )
}

/** What is different, a line each. */
export function Changes({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) return <p>{t("catalogue.noChange")}</p>
  return (
    <ul>
      {changes.map((it) => (
        <li key={it} className="breaks">
          {it}
        </li>
      ))}
    </ul>
  )
}

export function ToCatalogue() {
  return (
    <p>
      <a href={consoleHref("/admin/catalogue")}>{t("catalogue.toList")}</a>
    </p>
  )
}

type BoxProps = { name: string; value: string; text: string; isTicked: boolean }

/** A box to tick. */
export function Box({ name, value, text, isTicked }: BoxProps) {
  const id = `${name}-${value}`
  return (
    <label className="check" htmlFor={id}>
      <input id={id} type="checkbox" name={name} value={value} defaultChecked={isTicked} />
      <span>{text}</span>
    </label>
  )
}
