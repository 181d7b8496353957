import { data, type MiddlewareFunction } from "react-router"
import { statusOf } from "~/domain/problem"
import { requestContext } from "~/request.server"

/** A request the server has turned down gets its words here, where the visitor's language is known. */
export const refusal: MiddlewareFunction<Response> = ({ context, params }) => {
  const { refusal } = context.get(requestContext)
  // A call of the API is told so in the shape it knows.
  if (refusal && params.call === undefined) throw data({ kind: refusal }, { status: statusOf[refusal] })
}
