import type { ReactNode } from "react"
import { monthsOf } from "~/domain/billing-cycle"
import type { Plan } from "~/domain/catalogue"
import { type Quote, quote as quoteOf } from "~/domain/pricing"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import type { FormField } from "../form/use-checked-form"
import { moneyText, monthsText } from "../layout/format"
import { LockIcon } from "../layout/icons"
import { AppliedCode, PromoField } from "./promo-field"
import { QuoteLines } from "./quote-lines"

type Summary = {
  plan: Plan | undefined
  quote: Quote | null
  /** The applied promo code, even if it does not fit the selected plan. */
  code: string | null
  typedCode: string
  promoField: FormField
  /** The applied promo code does not fit the selected plan: a translation key. */
  codeError: string | null
  payButton: ReactNode
}

/** Order summary: next to the steps on a wide screen, below them on a phone. */
export function OrderSummary({ plan, quote, code, typedCode, promoField, codeError, payButton }: Summary) {
  const { t } = useTranslation()
  const selected = quote?.lines ?? []
  const discount = selected.find(({ kind }) => kind === "discount")
  const lines = plan ? quoteWithAllExtras(plan).lines : []
  const unselected = lines.filter((line) => !selected.some(({ kind }) => kind === line.kind))
  return (
    <section className="card summary" aria-labelledby="summary">
      <h2 id="summary">{t("checkout.summary")}</h2>
      <QuoteLines lines={lines} unselected={unselected} />
      {code && <AppliedCode code={code} amount={discount?.amount ?? null} />}
      <PromoField field={promoField} code={code} typed={typedCode} codeError={codeError} />
      {quote && <Total quote={quote} plan={plan} />}
      {payButton}
      <p className="assurance">
        <LockIcon />
        {t("checkout.summaryNote")}
      </p>
    </section>
  )
}

/** Every line that the plan can have: an extra selected before script runs must not move what is below its line. */
const quoteWithAllExtras = (plan: Plan) =>
  quoteOf(plan, { extraConnection: true, proxyProtection: true }, null)

function Total({ quote, plan }: { quote: Quote; plan: Plan | undefined }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <p className="total">
        <span>{t("checkout.total")}</span>{" "}
        <output aria-live="polite">{moneyText(quote.total, locale)}</output>
      </p>
      {plan?.payType === "recurring" && (
        <p className="note covers">
          {t("checkout.covers", { span: monthsText(monthsOf(plan.cycle), locale) })}
        </p>
      )}
    </>
  )
}
