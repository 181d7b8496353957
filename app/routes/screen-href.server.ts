import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { localPath } from "~/domain/locales"

/** A screen's path in the page's locale, for the redirects of loaders and actions, which add the base path. */
export function screenHref(context: RouteContext, path: string): string {
  return localPath(context.get(localeContext), path)
}
