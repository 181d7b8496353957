import type { IncomingMessage } from "node:http"
import type { Services } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { defaultLocale, locales, localPath } from "~/domain/locales"
import { isArrival } from "~/http/human-navigation.server"

type CountingServices = Pick<Services, "stepCounter"> & { readonly shop: { readonly publicUrl: string } }

const localeByPath = new Map(
  locales.map((locale) => [withoutSlash(`${BASE}${localPath(locale, "/")}`), locale.code]),
)

/**
 * Counts a person who opens the checkout from elsewhere. The listener calls it for each checkout page that it has sent, since
 * most of them come from the cache, where no route sees them.
 */
export function visitCounter({ stepCounter, shop }: CountingServices) {
  const ownPages = `${shop.publicUrl}${BASE}/`
  return ({ method, url = "", headers }: IncomingMessage): void => {
    const get = (name: string) => headers[name]?.toString() ?? null
    if (!isArrival({ method, headers: { get } }, ownPages)) return
    const [path = ""] = url.split("?", 1)
    const locale = localeByPath.get(withoutSlash(path)) ?? defaultLocale.code
    stepCounter.count("seen", { plan: null, gateway: null, locale })
  }
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "")
}
