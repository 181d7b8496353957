import type { QuoteLine } from "~/domain/pricing"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { discountText, moneyText } from "../layout/format"
import { planName } from "../layout/plan-name"

type Lines = {
  lines: readonly QuoteLine[]
  /** Lines of extras that are not selected: CSS shows them as soon as the visitor selects the extra. */
  unselected?: readonly QuoteLine[]
}

/** The quote, line by line. */
export function QuoteLines({ lines, unselected = [] }: Lines) {
  const locale = useLocale()
  const nameOf = useLineName()
  return (
    <ul className="lines">
      {lines.map((line) => (
        <li key={nameOf(line)} className={classOf(line)}>
          <span>{nameOf(line)}</span>{" "}
          <span>
            {line.amount.minor < 0 ? discountText(line.amount, locale) : moneyText(line.amount, locale)}
          </span>
        </li>
      ))}
    </ul>
  )

  function classOf(line: QuoteLine): string | undefined {
    if (line.kind === "plan") return
    return unselected.includes(line) ? `${line.kind} unselected` : line.kind
  }
}

/** Names a line of a quote. */
export function useLineName() {
  const { t } = useTranslation()
  const locale = useLocale()
  return (line: QuoteLine): string => {
    // Plans; the server has named what is about an existing one: see `namedLines`.
    if (!("optionId" in line) && "name" in line) return planName(line.name, locale)
    switch (line.kind) {
      case "discount":
        return t("checkout.promo.applied", { code: line.code })
      case "moreConnections":
        return t("upsell.line", { count: line.quantity })
      case "accountCredit":
        return t("checkout.accountCredit")
      default:
        return t(`checkout.extras.${line.kind}`)
    }
  }
}
