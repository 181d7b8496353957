import type { QuoteLine } from "~/domain/pricing"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { discountText, moneyText, monthsText } from "../layout/format"
import { planName } from "../layout/plan-name"

type Lines = {
  lines: readonly QuoteLine[]
  /** Lines of extras that are not selected: CSS shows them as soon as the visitor selects the extra. */
  unselected?: readonly QuoteLine[]
}

/** The quote, line by line. */
export function QuoteLines({ lines, unselected = [] }: Lines) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <ul className="lines">
      {lines.map((line) => (
        <li key={nameOf(line)} className={classOf(line)}>
          <span>{nameOf(line)}</span>{" "}
          <span>
            {line.kind === "discount" ? discountText(line.amount, locale) : moneyText(line.amount, locale)}
          </span>
        </li>
      ))}
    </ul>
  )

  function classOf(line: QuoteLine): string | undefined {
    if (line.kind === "plan") return
    return unselected.includes(line) ? `${line.kind} unselected` : line.kind
  }

  function nameOf(line: QuoteLine): string {
    if (line.kind === "plan") return planName(line.name, locale)
    if (line.kind === "discount") return t("checkout.promo.applied", { code: line.code })
    if (line.kind === "renewal") return `${planName(line.name, locale)} · ${monthsText(line.months, locale)}`
    if (line.kind === "moreConnections") return t("upsell.line", { count: line.quantity })
    return t(`checkout.extras.${line.kind}`)
  }
}
