import type { ReactNode } from "react"
import { monthsOf } from "~/domain/catalogue/billing-cycle"
import type { Plan } from "~/domain/catalogue/catalogue"
import { type Quote, quote as quoteOf } from "~/domain/catalogue/pricing"
import { currencyIntent } from "~/domain/forms/currency-button"
import { ACKNOWLEDGEMENT, CONSENT } from "~/domain/forms/declarations"
import { type Currency, per, times } from "~/domain/money/money"
import type { AppliedCredit } from "~/domain/payments/usable-credit"
import { type RefusedForm, typedInto } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import type { FormField } from "../form/use-checked-form"
import { moneyText, monthsText } from "../layout/format"
import { LockIcon } from "../layout/icons"
import { AppliedCode, PromoField } from "./promo-field"
import { CreditRows, QuoteLines } from "./quote-lines"

/** What the law of the visitor's country adds to a form, in the visitor's language. */
export type LawShown = {
  /** Words of the button that orders; null: the usual ones. */
  readonly orderButton: string | null
  /** What the buyer declares; null: nothing. */
  readonly declarations: { readonly consent: string; readonly acknowledgement: string } | null
}

/** A plan with the tax in its price, in a shop that taxes: `rate` of `of` parts, and the words before the amount. */
export type TaxedPlan = Plan & {
  readonly tax?: { readonly words: string; readonly rate: number; readonly of: number }
}

type Summary = {
  plan: TaxedPlan | undefined
  quote: Quote | null
  /** What account credit pays of the quote; null: nothing. */
  credit: AppliedCredit | null
  /** The applied promo code, even if it does not fit the selected plan. */
  code: string | null
  typedCode: string
  promoField: FormField
  /** The applied promo code does not fit the selected plan: a translation key. */
  codeError: string | null
  /** What the buyer has to declare. */
  declarations: ReactNode
  payButton: ReactNode
  /** What is said below the button, in the visitor's language. */
  assurance: string
  currency: Currency
  currencies: readonly Currency[]
  /**
   * The field with the buyer's country, the button that shows its prices and the business that buys, as HTML, in a shop that
   * taxes: the checkout's script has no room for them.
   */
  tax: string | undefined
}

/** Order summary: next to the steps on a wide screen, below them on a phone. */
export function OrderSummary(summary: Summary) {
  const {
    plan,
    quote,
    credit,
    code,
    typedCode,
    promoField,
    codeError,
    declarations,
    payButton,
    assurance,
    currency,
    currencies,
    tax,
  } = summary
  const { t } = useTranslation()
  const selected = quote?.lines ?? []
  const discount = selected.find(({ kind }) => kind === "discount")
  const lines = plan ? quoteWithAllExtras(plan).lines : []
  const unselected = lines.filter((line) => !selected.some(({ kind }) => kind === line.kind))
  return (
    <section className="card summary" aria-labelledby="summary">
      <div className="summary-head">
        <h2 id="summary">{t("checkout.summary")}</h2>
        {currencies.length > 1 && <CurrencyChoice chosen={currency} currencies={currencies} />}
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: written by the server, which escapes it */}
      {tax && <p className="currencies" dangerouslySetInnerHTML={{ __html: tax }} />}
      <QuoteLines lines={lines} unselected={unselected} />
      {/* Its amount changes with the total, which is announced. */}
      <div role="status" aria-relevant="additions">
        {code && <AppliedCode code={code} amount={discount?.amount ?? null} />}
      </div>
      <PromoField field={promoField} code={code} typed={typedCode} codeError={codeError} />
      {declarations}
      {quote && <Total quote={quote} credit={credit} plan={plan} />}
      {payButton}
      <p className="assurance">
        <LockIcon />
        {assurance}
      </p>
    </section>
  )
}

type DeclarationsProps = {
  words: NonNullable<LawShown["declarations"]>
  formId: string
  lastResult: RefusedForm | null | undefined
}

/** Declarations of a buyer whose order starts at once: never ticked by the shop. */
export function Declarations({ words, formId, lastResult }: DeclarationsProps) {
  return ([CONSENT, ACKNOWLEDGEMENT] as const).map((name) => (
    <Declaration key={name} name={name} id={`${formId}-${name}`} text={words[name]} lastResult={lastResult} />
  ))
}

type DeclarationProps = Pick<DeclarationsProps, "lastResult"> & { name: string; id: string; text: string }

function Declaration({ name, id, text, lastResult }: DeclarationProps) {
  const errors = lastResult?.error?.[name] ?? undefined
  const errorId = `${id}-error`
  return (
    <>
      <label className="choice declaration">
        <input
          type="checkbox"
          id={id}
          name={name}
          required
          defaultChecked={typedInto(name, lastResult) === "on"}
          aria-invalid={errors ? true : undefined}
          aria-describedby={errors ? errorId : undefined}
        />
        <span>{text}</span>
      </label>
      <FieldError field={{ errorId, errors }} />
    </>
  )
}

/** Buttons, which keep what was filled in and work without script. */
function CurrencyChoice({ chosen, currencies }: { chosen: Currency; currencies: readonly Currency[] }) {
  const { t } = useTranslation()
  return (
    <p className="currencies">
      <span className="hidden" id="currency">
        {t("checkout.currency")}
      </span>{" "}
      {currencies.map((currency) => (
        <button
          key={currency}
          name="intent"
          value={currencyIntent(currency)}
          formNoValidate
          aria-pressed={currency === chosen}
          aria-describedby="currency"
        >
          {currency}
        </button>
      ))}
    </p>
  )
}

/** Every line that the plan can have: an extra selected before script runs must not move what is below its line. */
const quoteWithAllExtras = (plan: Plan) =>
  quoteOf(plan, { extraConnection: true, proxyProtection: true }, null)

type TotalProps = Pick<Summary, "credit" | "plan"> & { quote: Quote }

function Total({ quote, credit, plan }: TotalProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="total">
        <span>{t("checkout.total")}</span>{" "}
        <output aria-live="polite">{moneyText(quote.total, locale)}</output>
      </p>
      <CreditRows credit={credit} />
      {plan?.tax && (
        <p className="note">
          {plan.tax.words}
          {moneyText(per(times(quote.total, plan.tax.rate), plan.tax.of), locale)}
        </p>
      )}
      {plan?.payType === "recurring" && (
        <p className="note covers">
          {t("checkout.covers", { span: monthsText(monthsOf(plan.cycle), locale) })}
        </p>
      )}
    </>
  )
}
