import { href } from "react-router"
import type { OrderKind } from "~/domain/order"
import type { Screen } from "~/domain/order-status"
import { type Journey, journeyOf } from "~/domain/screen-paths"

type Params = { readonly locale?: string }
type Order = { readonly kind: OrderKind } | null

const hrefs: Record<Journey, Record<Screen, (params: Params) => string>> = {
  viewer: {
    checkout: (params) => href("/:locale?", params),
    creatingOrder: (params) => href("/:locale?/creatingOrder", params),
    waiting: (params) => href("/:locale?/waiting", params),
    success: (params) => href("/:locale?/success", params),
  },
  reseller: {
    checkout: (params) => href("/:locale?/resellers", params),
    creatingOrder: (params) => href("/:locale?/creatingOrder", params),
    waiting: (params) => href("/:locale?/resellers/waiting", params),
    success: (params) => href("/:locale?/resellers/success", params),
  },
}

/** URL of a screen in the order's journey (viewer or reseller). */
export function screenHref(screen: Screen, order: Order, params: Params): string {
  return hrefs[order ? journeyOf(order.kind) : "viewer"][screen](params)
}
