import type { MiddlewareFunction } from "react-router"
import { botContext } from "~/context/request.server"
import { isBot } from "~/http/human-navigation.server"

/** Notes whether a bot asks: it is answered like anyone, and not counted. */
export const bot: MiddlewareFunction<Response> = ({ request, context }) => {
  context.set(botContext, isBot(request))
}
