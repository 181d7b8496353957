import type { ReactNode } from "react"
import type { Plan } from "~/domain/catalogue"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"

type Cards<P extends Plan> = {
  plans: readonly P[]
  chosen: string | null
  errors: FieldErrors
  /** The plan to recommend. */
  best: P | null
  text: (plan: P) => ReactNode
  /** What is below the cards. */
  children?: ReactNode
}

/** The plans as cards; each card is the label of a native radio button. */
export function PlanCards<P extends Plan>({ plans, chosen, errors, best, text, children }: Cards<P>) {
  const { t } = useTranslation()
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
            {text(plan)}
          </label>
        ))}
      </div>
      {children}
    </Step>
  )
}
