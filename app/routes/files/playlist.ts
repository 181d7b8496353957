import { redirect } from "react-router"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { localPath, pageUrl } from "~/domain/locales"
import { OLD_PLAYLIST, pathOf, signInPath } from "~/domain/orders/screen-paths"
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
  if (playlist === null) throw await noPlaylist(request, url, services)
  return streamedResponse(playlist, {
    headers: {
      "content-type": "audio/x-mpegurl; charset=utf-8",
      "content-disposition": 'attachment; filename="playlist.m3u8"',
      // Web players fetch it from another origin.
      "access-control-allow-origin": "*",
    },
  })
}

/** Where the current address is: a line of text for the log of a player, and for a person in a browser the page itself. */
async function noPlaylist(
  request: Request,
  { searchParams }: URL,
  { shop }: LoggedServices,
): Promise<Response> {
  const locale = await detectLocale(request)
  if (request.headers.get("accept")?.includes("text/html")) {
    // Only an address for players has a key; the link of the service page just needs a session.
    const query = searchParams.has("key") ? `?${OLD_PLAYLIST}` : ""
    return redirect(localPath(locale, `${pathOf.viewer.success}${query}`), 303)
  }
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
