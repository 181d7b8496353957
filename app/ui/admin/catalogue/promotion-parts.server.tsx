import type { CodeCounts, PromotionDetails } from "~/billing/catalogue/promotion-admin"
import type { Day } from "~/domain/calendar"
import { type PromotionState, promotionState } from "~/domain/catalogue/promotion"
import { percentText } from "~/domain/money/basis-points"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"

export type NamedProduct = { readonly id: string; readonly name: string }

/** Address of a promotion's page. */
export function promotionHref(code: string): string {
  return consoleHref(`/admin/promotions/${encodeURIComponent(code)}`)
}

const pills: Readonly<Record<PromotionState, "good" | "warning" | "plain">> = {
  on: "good",
  off: "warning",
  planned: "plain",
  ended: "plain",
  "used-up": "plain",
  "without-products": "warning",
}

/** State of a promotion in words, never by colour alone. */
export function PromotionPill({ promotion, today }: { promotion: PromotionDetails; today: Day }) {
  const { productIds, maxUses, uses, offSince, startsOn, endsOn } = promotion
  const remainingUses = maxUses === null ? null : maxUses - uses
  const isOff = offSince !== null
  const state = promotionState({ productIds, startsOn, endsOn, remainingUses, isOff }, today)
  return <span className={`pill ${pills[state]}`}>{t(`promotions.states.${state}`)}</span>
}

/** "15 %" or "€5.00". */
export function discountText({ discount }: Pick<PromotionDetails, "discount">): string {
  if (discount.kind === "fixed") return amountText(discount.amount)
  return percentText(discount.basisPoints)
}

/** Names of its products, with the ids by which orders and files have them. */
export function productsText(
  { productIds }: Pick<PromotionDetails, "productIds">,
  products: readonly NamedProduct[],
): string {
  if (productIds.length === 0) return t("promotions.noProducts")
  const nameOf = (id: string) => products.find((it) => it.id === id)?.name
  return productIds.map((id) => (nameOf(id) === undefined ? id : `${nameOf(id)} (${id})`)).join(", ")
}

export function validityText({
  startsOn: from,
  endsOn: until,
}: Pick<PromotionDetails, "startsOn" | "endsOn">): string {
  if (from !== null && until !== null) return t("promotions.fromUntil", { from, until })
  if (from !== null) return t("promotions.from", { from })
  return until === null ? t("promotions.always") : t("promotions.until", { until })
}

export function usesText({ uses, maxUses }: Pick<PromotionDetails, "uses" | "maxUses">): string {
  return maxUses === null ? String(uses) : t("promotions.usesOf", { uses, limit: maxUses })
}

/** Address of the page of a promotion's one-time codes. */
export function promotionCodesHref(code: string): string {
  return consoleHref(`/admin/promotions/${encodeURIComponent(code)}/codes`)
}

export function codeCountsText({ unused, used, withdrawn }: CodeCounts): string {
  if (unused + used + withdrawn === 0) return t("promotionCodes.none")
  return t("promotionCodes.counts", { unused, used, withdrawn })
}
