import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { localPath } from "~/domain/locales"

/** A screen's path in the page's locale, for the redirects of loaders and actions, which add the base path. */
export function screenHref(context: Readonly<RouterContextProvider>, path: string): string {
  return localPath(context.get(localeContext), path)
}
