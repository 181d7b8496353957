import { monthsOf } from "~/domain/catalogue/billing-cycle"
import { bestOffer, type Plan, perMonth, savingPercent } from "~/domain/catalogue/catalogue"
import type { Guarantee } from "~/domain/shop/brand"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import type { FormField } from "../form/use-checked-form"
import { moneyText, monthsText, percentText } from "../layout/format"
import { ShieldIcon } from "../layout/icons"
import { planName } from "../layout/plan-name"
import { PlanCards } from "./plan-cards"

type Picker = {
  plans: readonly Plan[]
  chosen: string | null
  guarantee: Guarantee
  field: FormField
}

/** The plans with their prices, and the guarantee. */
export function PlanPicker({ plans, chosen, guarantee, field }: Picker) {
  const { t } = useTranslation()
  return (
    <PlanCards
      plans={plans}
      chosen={chosen}
      field={field}
      best={plans.length > 1 ? bestOffer(plans) : null}
      text={(plan) => <PlanText plan={plan} saving={savingPercent(plan, plans)} />}
    >
      {guarantee.kind !== "none" && (
        <p className="assurance">
          <ShieldIcon />
          {guarantee.kind === "custom" ? guarantee.text : t("checkout.plan.guarantee")}
        </p>
      )}
    </PlanCards>
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
