import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
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
  const [line, key] = [url.searchParams.get("line"), url.searchParams.get("key")]
  const service =
    line === null
      ? ((await showAccess(services, session))?.service ?? null)
      : key === null
        ? await accessibleService(services, session, line)
        : await serviceOfKey(services, { line, key })
  const playlist = (await playlistOf(services, service)) ?? (await suspendedPlaylist(services, service))
  if (playlist === null) throw data(null, { status: 404 })
  return streamedResponse(playlist, {
    headers: {
      "content-type": "audio/x-mpegurl; charset=utf-8",
      "content-disposition": 'attachment; filename="playlist.m3u8"',
      // Web players fetch it from another origin.
      "access-control-allow-origin": "*",
    },
  })
}
