import { data, type MiddlewareFunction } from "react-router"
import { statusOf } from "~/domain/problem"
import { requestContext } from "~/request.server"

/** A request the server has turned down gets its words here, where the visitor's language is known. */
export const refusal: MiddlewareFunction<Response> = ({ context }) => {
  const { refusal } = context.get(requestContext)
  if (refusal) throw data({ kind: refusal }, { status: statusOf[refusal] })
}
