import { data } from "react-router"
import { showPlaylist } from "~/flows/show-access.server"
import { neverStored } from "~/middleware/caching.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import type { Route } from "./+types/playlist"

export const middleware: Route.MiddlewareFunction[] = [neverStored]

/** The channel list of the service this browser bought, as a file to save (reference: playlists, section 1). */
export async function loader({ context }: Route.LoaderArgs) {
  const { orderId } = context.get(sessionContext)
  const playlist = orderId && (await showPlaylist(context.get(servicesContext), orderId))
  if (!playlist) throw data(null, { status: 404 })
  return new Response(playlist, {
    headers: {
      "content-type": "audio/x-mpegurl; charset=utf-8",
      "content-disposition": 'attachment; filename="playlist.m3u8"',
    },
  })
}
