import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { screenTexts } from "~/i18n/load-screen-texts.server"

/** Why nothing can be ordered while ordering is paused, and what to do, in the visitor's language; null: ordering goes on. */
export function pausedNote(context: RouteContext, { paused }: { readonly paused: boolean }): string | null {
  return paused ? screenTexts(context.get(localeContext).code)("outage.paused") : null
}
