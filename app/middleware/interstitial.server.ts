import { data } from "react-router"
import type { Interstitial } from "~/domain/interstitial"

/** A screen in the place of the page that was asked for: to be thrown. */
export function interstitial(screen: Interstitial, status: number) {
  return data(screen, { status })
}
