import type { RouteContext } from "~/context/route-context"
import type { UnpaidOrder } from "~/flows/services/show-access.server"
import type { UnpaidOrder as UnpaidOrderView } from "~/ui/layout/unpaid-order"
import { writingOf } from "../page-writing.server"

/** What a page says of the visitor's unpaid order; a partly paid one is to be paid to its end. */
export function unpaidView(context: RouteContext, unpaid: UnpaidOrder | null): UnpaidOrderView | null {
  if (!unpaid) return null
  const { t, money } = writingOf(context)
  const { id, kind, left, isPartlyPaid } = unpaid
  return { id, kind, left, payRest: isPartlyPaid ? t("unpaid.payRest", { amount: money(left) }) : null }
}
