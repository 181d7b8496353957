import { getInputProps } from "@conform-to/react"
import type { ReactNode } from "react"
import type { Plan } from "~/domain/catalogue/catalogue"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { FieldError } from "../form/field-error"
import type { FormField } from "../form/use-checked-form"

type Cards<P extends Plan> = {
  plans: readonly P[]
  chosen: string | null
  field: FormField
  /** The plan to recommend. */
  best: P | null
  text: (plan: P) => ReactNode
  /** What is below the cards. */
  children?: ReactNode
}

/** The plans as cards; each card is the label of a native radio button. */
export function PlanCards<P extends Plan>({ plans, chosen, field, best, text, children }: Cards<P>) {
  const { t } = useTranslation()
  return (
    <Step number={1} id={field.id} heading={t("checkout.plan.heading")} isPlain>
      {/* To be seen in the summary right above; the radio buttons refer to it. */}
      <div className="hidden">
        <FieldError field={field} />
      </div>
      {/* Other plans are other radio buttons: in those of before, none would be chosen. */}
      <div
        key={String(plans.map(({ id }) => id))}
        className="plans"
        role="radiogroup"
        aria-label={t("checkout.plan.heading")}
      >
        {plans.map((plan) => (
          <label key={plan.id} className="choice plan">
            {plan === best && <span className="tab">{t("checkout.plan.best")}</span>}
            <input
              {...getInputProps(field, { type: "radio", value: false })}
              id={`${field.id}-${plan.id}`}
              value={plan.id}
              required
              defaultChecked={plan.id === chosen}
            />
            {text(plan)}
          </label>
        ))}
      </div>
      {children}
    </Step>
  )
}
