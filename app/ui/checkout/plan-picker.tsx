import { monthsOf } from "~/domain/billing-cycle"
import { bestOffer, type Plan, perMonth, savingPercent } from "~/domain/catalogue"
import type { Guarantee } from "~/domain/shop/brand"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"
import { moneyText, monthsText, percentText } from "../layout/format"
import { ShieldIcon } from "../layout/icons"
import { planName } from "../layout/plan-name"

type Picker = {
  plans: readonly Plan[]
  chosen: string | null
  guarantee: Guarantee
  errors: FieldErrors
}

/** The plans as cards; each card is the label of a native radio button. */
export function PlanPicker({ plans, chosen, guarantee, errors }: Picker) {
  const { t } = useTranslation()
  const best = plans.length > 1 ? bestOffer(plans) : null
  return (
    <Step number={1} id="plan" heading={t("checkout.plan.heading")}>
      <FieldError errors={errors} field="plan" />
      <div className="plans" role="radiogroup" aria-label={t("checkout.plan.heading")}>
        {plans.map((plan) => (
          <label key={plan.id} className="choice plan">
            {plan === best && <span className="tab">{t("checkout.plan.best")}</span>}
            <input
              type="radio"
              name="plan"
              value={plan.id}
              required
              defaultChecked={plan.id === chosen}
              {...fieldErrorProps(errors, "plan")}
            />
            <PlanText plan={plan} saving={savingPercent(plan, plans)} />
          </label>
        ))}
      </div>
      {guarantee.kind !== "none" && (
        <p className="assurance">
          <ShieldIcon />
          {guarantee.kind === "custom" ? guarantee.text : t("checkout.plan.guarantee")}
        </p>
      )}
    </Step>
  )
}

function PlanText({ plan, saving }: { plan: Plan; saving: number }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const onetime = plan.payType === "onetime"
  const price = moneyText(plan.price, locale)
  const span = monthsText(monthsOf(plan.cycle), locale)
  return (
    <>
      <strong className="plan-name">{planName(plan.name, locale)}</strong>{" "}
      <span className="plan-price">
        <b>{moneyText(perMonth(plan), locale)}</b> {!onetime && <small>{t("checkout.plan.perMonth")}</small>}
      </span>{" "}
      <span className="plan-billed">
        {onetime ? t("checkout.plan.once") : t("checkout.plan.now", { price, span })}
      </span>{" "}
      {saving > 0 && (
        <span className="pill">{t("checkout.plan.save", { percent: percentText(saving, locale) })}</span>
      )}
    </>
  )
}
