import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { pathOf } from "~/domain/orders/screen-paths"
import { loadCatalogue } from "~/i18n/i18n"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { knownPrefix } from "~/middleware/locale/known-prefix.server"
import { pathLocale } from "~/middleware/locale/path-locale.server"
import { rejection } from "~/middleware/rejected-request.server"
import { stylesFor } from "~/ui/style/style.server"
import type { Route } from "./+types/manifest"

export const middleware: Route.MiddlewareFunction[] = [
  pathLocale,
  knownPrefix,
  rejection,
  allowMethods("GET", "HEAD"),
]

const icons = [
  { src: `${BASE}/favicon.svg`, sizes: "any", type: "image/svg+xml" },
  { src: `${BASE}/icon-192.png`, sizes: "192x192", type: "image/png" },
  { src: `${BASE}/icon-512.png`, sizes: "512x512", type: "image/png" },
  { src: `${BASE}/icon-maskable-512.png`, sizes: "512x512", type: "image/png", purpose: "maskable" },
]

/** Web app manifest in the page's locale. */
export async function loader({ context }: Route.LoaderArgs) {
  const { name, colours } = context.get(servicesContext).shop.brand
  const locale = context.get(localeContext)
  const { description } = await loadCatalogue(locale.code)
  const manifest = {
    // One app id for all locales.
    id: `${BASE}/`,
    scope: `${BASE}/`,
    start_url: `${BASE}${localPath(locale, pathOf.viewer.checkout)}`,
    name,
    short_name: name,
    description: description.checkout,
    lang: locale.iso,
    dir: "ltr",
    display: "standalone",
    theme_color: stylesFor(colours).themeColours.light,
    background_color: "#f4f6fb",
    icons,
  }
  return Response.json(manifest, {
    headers: { "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" },
  })
}
