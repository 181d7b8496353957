import { ReadableStream } from "node:stream/web"
import { setImmediate } from "node:timers/promises"
import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { piecesOf } from "~/domain/pieces-of-text"
import { accessibleService } from "~/flows/services/accessible-services.server"
import { playlistOf, serviceOfKey, showAccess } from "~/flows/services/show-access.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import type { Route } from "./+types/playlist"

export const middleware: Route.MiddlewareFunction[] = [noStore, allowMethods("GET", "HEAD")]

/**
 * The channel list of a service as a file to save (reference: playlists, section 1): for who has bought it, and for
 * his player, which brings the service's key instead of a cookie.
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
  const playlist = await playlistOf(services, service)
  if (playlist === null) throw data(null, { status: 404 })
  return new Response(ReadableStream.from(encoded(playlist)) as BodyInit, {
    headers: {
      "content-type": "audio/x-mpegurl; charset=utf-8",
      "content-disposition": 'attachment; filename="playlist.m3u8"',
      // Players that run in a web page fetch it from there.
      "access-control-allow-origin": "*",
    },
  })
}

/** All at once, a long list would hold up everybody. */
async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  for (const piece of piecesOf(text)) {
    yield Buffer.from(piece)
    await setImmediate()
  }
}
