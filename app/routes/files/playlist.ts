import { type LoggedServices, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { pageUrl } from "~/domain/locales"
import { signInPath } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { playlistOf, serviceOfKey, showAccess } from "~/flows/services/show-access.server"
import { streamedResponse } from "~/http/streamed-response.server"
import { detectLocale } from "~/i18n/detect-locale.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { Route } from "./+types/playlist"
import { privateFile } from "./private-file.server"
import { suspendedPlaylist } from "./suspended-playlist.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/**
 * The service's M3U playlist as a download: for the buyer by session, and for players by the service's key in the query.
 */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const service = await serviceNamed(services, session, url.searchParams)
  const playlist = (await playlistOf(services, service)) ?? (await suspendedPlaylist(services, service))
  if (playlist === null) throw await noPlaylist(request, services)
  return streamedResponse(playlist, {
    headers: {
      "content-type": "audio/x-mpegurl; charset=utf-8",
      "content-disposition": 'attachment; filename="playlist.m3u8"',
      // Web players fetch it from another origin.
      "access-control-allow-origin": "*",
    },
  })
}

/** Read in a player's log or in a browser, which show a line of text alike: what it is, and where the current address is. */
async function noPlaylist(request: Request, { shop }: LoggedServices): Promise<Response> {
  const locale = await detectLocale(request)
  const url = pageUrl(shop.publicUrl, locale, signInPath)
  return new Response(`${screenTexts(locale.code)("noPlaylist", { url })}\n`, {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8" },
  })
}

async function serviceNamed(
  services: LoggedServices,
  session: CheckoutSession,
  query: URLSearchParams,
): Promise<Service | null> {
  const [line, key] = [query.get("line"), query.get("key")]
  if (line === null) return (await showAccess(services, session))?.service ?? null
  return key === null ? accessibleService(services, session, line) : serviceOfKey(services, { line, key })
}
