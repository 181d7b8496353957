import { data } from "react-router"
import type { InPlace } from "~/in-place"

/** A screen in the place of the page that was asked for: to be thrown. */
export function inPlace(screen: InPlace, status: number) {
  return data(screen, { status })
}
