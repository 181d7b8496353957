import type { MiddlewareFunction } from "react-router"
import { botContext } from "~/context/request.server"
import { isBot } from "~/http/human-navigation.server"

/** Notes whether a bot sends a form: it is answered like anyone, and not counted. A look counts nothing here, so it is not judged. */
export const bot: MiddlewareFunction<Response> = ({ request, context }) => {
  if (request.method === "POST") context.set(botContext, isBot(request))
}
