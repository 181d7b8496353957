import type { Order, OrderKind } from "./order"
import { type Screen, screenFor } from "./order-status"

/** Viewers and resellers each have their own way through; the order creation screen is the same (spec, section 2). */
export type Journey = "viewer" | "reseller"

/** Paths without the language. */
export const pathOf = {
  viewer: { checkout: "/", creatingOrder: "/creatingOrder", waiting: "/waiting", success: "/success" },
  reseller: {
    ...{ checkout: "/resellers", creatingOrder: "/creatingOrder" },
    ...{ waiting: "/resellers/waiting", success: "/resellers/success" },
  },
} as const satisfies Record<Journey, Record<Screen, string>>

/** What a reseller buys for himself goes his way; what he adds to a service or makes for others is like anybody's. */
export function journeyOf(kind: OrderKind): Journey {
  return kind === "reseller" ? "reseller" : "viewer"
}

type Page = { readonly screen: Screen; readonly way: Journey }

/** Where a visitor on a page belongs by the order in his hand: null when he is right there. */
export function pathFor({ screen, way }: Page, order: Pick<Order, "status" | "kind"> | null): string | null {
  const right = screenFor(screen, order?.status ?? null)
  if (right === "checkout") return pathOf[way].checkout
  const own = order ? journeyOf(order.kind) : way
  const path = pathOf[own][right ?? screen]
  const isOpen = right === null && (screen === "checkout" || path === pathOf[way][screen])
  return isOpen ? null : path
}
