import type { ResellerPlan } from "~/domain/catalogue"
import { per } from "~/domain/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText, monthsText } from "../layout/format"

/** Resellers compare plans by price per line. The price of a recurring reseller plan is that of one month (specification, Catalogue). */
export function ResellerPlanText({ plan: { name, price, payType, credits } }: { plan: ResellerPlan }) {
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
