import type { QuoteLine } from "~/domain/catalogue/pricing"
import { type Money, times } from "~/domain/money/money"
import type { AppliedCredit } from "~/domain/payments/usable-credit"
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

/** An amount with what the page calls it. */
export type Named = { readonly label: string; readonly amount: Money }

/** What pays a part of a total, and what is left of it; nothing while nothing pays a part. */
export function PaidParts({ parts, due }: { parts: readonly Named[]; due: Named | null }) {
  const locale = useLocale()
  return (
    <>
      {parts.map(({ label, amount }) => (
        <p key={label} className="row discount">
          <span>{label}</span> <span>{discountText(times(amount, -1), locale)}</span>
        </p>
      ))}
      {due && parts[0] && (
        <p className="row">
          <strong>{due.label}</strong> <strong>{moneyText(due.amount, locale)}</strong>
        </p>
      )}
    </>
  )
}

/** What account credit will pay of a form's total, which the form sends as it was shown, and what is left to pay. */
export function CreditRows({ credit }: { credit: AppliedCredit | null }) {
  if (!credit) return null
  const { texts, used, left } = credit
  return (
    <>
      <input type="hidden" name="credit" value={used.minor} />
      <PaidParts parts={[{ label: texts.used, amount: used }]} due={{ label: texts.left, amount: left }} />
    </>
  )
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
