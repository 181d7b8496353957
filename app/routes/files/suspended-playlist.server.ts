import type { Services } from "~/context/services.server"
import { defaultLocale, localeOfCode, pageUrl } from "~/domain/locales"
import { servicePath } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { loadCatalogue } from "~/i18n/i18n"

/**
 * The playlist of a suspended service: one entry that says so in the language of its order, and leads to the service's page.
 * Null for other services, and if the panel serves the playlist.
 */
export async function suspendedPlaylist(
  { billing, provisioner, shop }: Pick<Services, "billing" | "provisioner" | "shop">,
  service: Service | null,
): Promise<AsyncIterable<Uint8Array> | null> {
  if (service?.status !== "Suspended" || service.kind !== "plan" || service.host === null) return null
  if (provisioner.playlistAddress({ ...service, host: service.host }) !== null) return null
  const order = await billing.order(service.orderId)
  const locale = localeOfCode(order?.locale ?? defaultLocale.code) ?? defaultLocale
  const { success } = await loadCatalogue(locale.code)
  const title = `${service.name}: ${success.status.Suspended}`.replace(/\s+/g, " ")
  const url = pageUrl(shop.publicUrl, locale, servicePath(service.id))
  return one(`#EXTM3U\n#EXTINF:-1,${title}\n${url}\n`)
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
