import { type LoggedServices, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import type { Service } from "~/domain/services/service"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { playlistOf, serviceOfKey, showAccess } from "~/flows/services/show-access.server"
import { streamedResponse } from "~/http/streamed-response.server"
import type { Route } from "./+types/playlist"
import { privateFile } from "./private-file.server"
import { suspendedPlaylist } from "./suspended-playlist.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/**
 * The service's M3U playlist as a download: for the buyer by session, and for players by the service's key in the query.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const service = await serviceNamed(services, session, url.searchParams)
  const playlist = (await playlistOf(services, service)) ?? (await suspendedPlaylist(services, service))
  if (playlist === null) throw new Response(null, { status: 404 })
  return streamedResponse(playlist, {
    headers: {
      "content-type": "audio/x-mpegurl; charset=utf-8",
      "content-disposition": 'attachment; filename="playlist.m3u8"',
      // Web players fetch it from another origin.
      "access-control-allow-origin": "*",
    },
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
