import { data } from "react-router"
import type { Interstitial } from "~/domain/orders/interstitial"

/** Response that shows a screen instead of the requested page. Throw it. */
export function interstitial(screen: Interstitial, status: number) {
  return data(screen, { status })
}
