import type { Product } from "~/domain/catalogue/catalogue"
import { type Currency, currencies } from "~/domain/money/money"
import { priceModes } from "~/domain/tax/tax"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"

type TypedTax = {
  readonly country: string
  readonly registrations: string
  readonly oneStopShop: boolean
  readonly rates: string
  readonly exempt: string
  readonly categories: Readonly<Record<string, string>>
  readonly prices: Readonly<Partial<Record<Currency, string>>>
  readonly accountingCurrency: string
  readonly exchangeRates: string
}

type RulesProps = {
  products: readonly Product[]
  value: TypedTax
  mayChange: boolean
  seen: string
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  refused: { readonly reason: string } | null
}

/** The form that changes the rules of tax. */
export function TaxRulesScreen(props: RulesProps) {
  const { mayChange, seen, formKey, proof, notice, refused } = props
  return (
    <>
      <div className="title">
        <h1>{t("tax.edit")}</h1>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        {!mayChange && <p>{t("action.nothing")}</p>}
        {mayChange && (
          <ActionForm
            action="edit-tax"
            name={t("tax.edit")}
            now={t("tax.editNow")}
            after={t("tax.editAfter")}
            formKey={formKey}
            seen={seen}
            refused={refused}
            proof={proof}
          >
            <RuleFields {...props} />
          </ActionForm>
        )}
      </section>
      <p>
        <a href={consoleHref("/admin/tax")}>{t("tax.toList")}</a>
      </p>
    </>
  )
}

function RuleFields({ products, value }: RulesProps) {
  return (
    <>
      <TextField id="country" name="country" label={t("tax.country")} value={value.country} maxLength={2} />
      <LinesField name="registrations" hint="tax.registrationsHint" value={value.registrations} rows={4} />
      <label className="check" htmlFor="oneStopShop">
        <input
          id="oneStopShop"
          type="checkbox"
          name="oneStopShop"
          value="on"
          defaultChecked={value.oneStopShop}
        />
        <span>{t("tax.oneStopShop")}</span>
      </label>
      <LinesField name="rates" hint="tax.ratesHint" value={value.rates} rows={8} />
      <LinesField name="exempt" hint="tax.exemptHint" value={value.exempt} rows={2} />
      {currencies.map((currency) => (
        <p key={currency} className="field">
          <label htmlFor={`prices.${currency}`}>{t("tax.pricesIn", { currency })}</label>
          <select
            id={`prices.${currency}`}
            name={`prices.${currency}`}
            defaultValue={value.prices[currency] ?? "inclusive"}
          >
            {priceModes.map((it) => (
              <option key={it} value={it}>
                {t(`tax.modes.${it}`)}
              </option>
            ))}
          </select>
        </p>
      ))}
      <TextField
        id="accountingCurrency"
        name="accountingCurrency"
        label={t("tax.accountingCurrencyField")}
        value={value.accountingCurrency}
        maxLength={3}
        isOptional
      />
      <LinesField name="exchangeRates" hint="tax.exchangeRatesHint" value={value.exchangeRates} rows={4} />
      {products.map(({ id, name }) => (
        <TextField
          key={id}
          id={`category.${id}`}
          name={`category.${id}`}
          label={t("tax.category", { product: `${name} (${id})` })}
          value={value.categories[id] ?? ""}
          maxLength={40}
          isOptional
        />
      ))}
    </>
  )
}

type LinesProps = {
  name: "registrations" | "rates" | "exempt" | "exchangeRates"
  hint: ConsoleText
  value: string
  rows: number
}

function LinesField({ name, hint, value, rows }: LinesProps) {
  return (
    <p className="field">
      <label htmlFor={name}>{t(`tax.${name}`)}</label>
      <textarea
        id={name}
        name={name}
        rows={rows}
        maxLength={20_000}
        defaultValue={value}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        aria-describedby={`${name}-hint`}
      />
      <small id={`${name}-hint`}>{t(hint)}</small>
    </p>
  )
}
