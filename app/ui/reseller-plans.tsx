import type { Money } from "~/domain/money"
import { useTranslation } from "~/locales/use-translation"
import { moneyText } from "./format"
import { useLocale } from "./use-locale"

type Plan = {
  readonly id: string
  readonly name: string
  readonly price: Money
  readonly credits: number | null
}

/** What resellers can buy, by the month. */
export function ResellerPlans({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <div className="narrow">
      <h1>{t("resellers.heading")}</h1>
      <p className="lead">{t(plans.length > 0 ? "resellers.lead" : "resellers.none")}</p>
      <div className="plans">
        {plans.map(({ id, name, price, credits }) => (
          <section key={id} className="card plan">
            <h2 className="plan-name">{name}</h2>
            <p className="plan-price">
              <b>{moneyText(price, locale)}</b> <small>{t("checkout.plan.perMonth")}</small>
            </p>
            {credits !== null && <p className="plan-billed">{t("resellers.credits", { count: credits })}</p>}
          </section>
        ))}
      </div>
    </div>
  )
}
