import type { ResellerPlan } from "~/domain/catalogue/catalogue"
import { per } from "~/domain/money/money"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { moneyText, monthsText } from "../layout/format"

/**
 * Resellers compare plans by price per line, so that is the large one. The price of a recurring reseller plan is that of one
 * month (specification, Catalogue). A plan without credits has no lines to divide it by.
 */
export function ResellerPlanText({ plan: { name, price, payType, credits } }: { plan: ResellerPlan }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const billed = [
    credits > 0 && moneyText(price, locale),
    payType === "recurring" && t("checkout.covers", { span: monthsText(1, locale) }),
    credits > 0 && `· ${t("resellers.credits", { count: credits })}`,
  ]
  return (
    <>
      <strong className="plan-name">{name}</strong>{" "}
      <span className="plan-price">
        <b>{moneyText(credits > 0 ? per(price, credits) : price, locale)}</b>{" "}
        {credits > 0 && <small>{t("resellers.perLine")}</small>}
      </span>{" "}
      <span className="plan-billed">{billed.filter((part) => part !== false).join(" ")}</span>
    </>
  )
}
