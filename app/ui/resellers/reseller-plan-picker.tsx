import type { ResellerPlan } from "~/domain/catalogue"
import { per } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"
import { moneyText, monthsText } from "../layout/format"

type Picker = { plans: readonly ResellerPlan[]; chosen: string | null; errors: FieldErrors }

/** The reseller plans as cards; each card is the label of a native radio button. */
export function ResellerPlanPicker({ plans, chosen, errors }: Picker) {
  const { t } = useTranslation()
  return (
    <Step number={1} id="plan" heading={t("checkout.plan.heading")}>
      <FieldError errors={errors} field="plan" />
      <div className="plans" role="radiogroup" aria-label={t("checkout.plan.heading")}>
        {plans.map((plan) => (
          <label key={plan.id} className="choice plan">
            <input
              type="radio"
              name="plan"
              value={plan.id}
              required
              defaultChecked={plan.id === chosen}
              {...fieldErrorProps(errors, "plan")}
            />
            <PlanText plan={plan} />
          </label>
        ))}
      </div>
    </Step>
  )
}

/** Resellers compare plans by price per line. The price of a recurring reseller plan is that of one month (specification, Catalogue). */
function PlanText({ plan: { name, price, payType, credits } }: { plan: ResellerPlan }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <>
      <strong className="plan-name">{name}</strong>{" "}
      <span className="plan-price">
        <b>{moneyText(price, locale)}</b>{" "}
        {payType === "recurring" && <small>{t("checkout.covers", { span: monthsText(1, locale) })}</small>}
      </span>{" "}
      {credits > 0 && (
        <span className="plan-billed">
          {t("resellers.credits", { count: credits })} ·{" "}
          {t("resellers.perLine", { price: moneyText(per(price, credits), locale) })}
        </span>
      )}
    </>
  )
}
