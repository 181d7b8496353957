import { data } from "react-router"
import type { InPlace } from "~/domain/interstitial"

/** A screen in the place of the page that was asked for: to be thrown. */
export function inPlace(screen: InPlace, status: number) {
  return data(screen, { status })
}
