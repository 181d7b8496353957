import { consoleRequest } from "~/context/console.server"
import type { Route } from "./+types/rejected-callback-body"

/** The body of a rejected callback as a download: never as a page, since a stranger has written it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const callback = await services.console.overview.storedCallback(params.id)
  if (!callback) throw new Response(null, { status: 404 })
  return new Response(Buffer.from(callback.body, "base64"), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="callback.bin"',
    },
  })
}
