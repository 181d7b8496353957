import type { Plan } from "~/domain/catalogue/catalogue"
import type { Extras } from "~/domain/catalogue/pricing"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Step } from "../form/checkout-step"
import { moneyText } from "../layout/format"

type Picker = { plan: Plan | undefined; chosen: Extras }

const names = ["extraConnection", "proxyProtection"] as const

/** The selected plan's extras with their prices; extras it does not offer are hidden. */
export function ExtrasPicker({ plan, chosen }: Picker) {
  const { t } = useTranslation()
  const locale = useLocale()
  const offered = names.filter((name) => plan?.[name])
  if (offered.length === 0) return null
  return (
    <Step number={2} heading={t("checkout.extras.heading")}>
      {offered.map((name) => {
        const price = plan?.[name]?.price
        return (
          <label key={name} className="extra">
            <strong>{t(`checkout.extras.${name}`)}</strong>{" "}
            <span className="extra-price">+&nbsp;{price && moneyText(price, locale)}</span>{" "}
            <small>{t(`checkout.extras.${name}Note`)}</small>{" "}
            <input type="checkbox" className="switch" name={name} defaultChecked={chosen[name]} />
          </label>
        )
      })}
    </Step>
  )
}

export function hasExtras(plan: Plan | undefined): boolean {
  return names.some((name) => plan?.[name])
}
