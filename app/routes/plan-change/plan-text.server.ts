import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type Cycle, monthsOf } from "~/domain/catalogue/billing-cycle"
import { monthsText } from "~/ui/layout/format"
import type { Writing } from "../page-writing.server"

type Plan = { readonly productId: string; readonly name: string; readonly cycle: Cycle }

/** "3.annually": a plan and its cycle in the URL; `planOfUrl` reads it. */
export function planInUrl({ productId, cycle }: Pick<Plan, "productId" | "cycle">): string {
  return `${encodeURIComponent(productId)}.${cycle}`
}

/** The plan that a URL names; undefined: none of these. */
export function planOfUrl<P extends Pick<Plan, "productId" | "cycle">>(
  plans: readonly P[],
  name: string | null,
): P | undefined {
  return plans.find(({ productId, cycle }) => `${productId}.${cycle}` === name)
}

/** "Plus · 12 months", "12 months". */
export function planSpan(
  context: RouteContext,
  { name, cycle }: Pick<Plan, "name" | "cycle">,
  { plan }: Writing,
): string {
  const span = monthsText(monthsOf(cycle), context.get(localeContext))
  const named = plan(name)
  return named === span ? span : `${named} · ${span}`
}
