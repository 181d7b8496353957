import { data, type MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"
import { statusOf } from "~/domain/error-kind"

/** A request the server has turned down gets its words here, where the visitor's language is known. */
export const refusal: MiddlewareFunction<Response> = ({ context, params }) => {
  const { refusal } = context.get(requestContext)
  // A call of the API is told so in the shape it knows.
  if (refusal && params.call === undefined) throw data({ kind: refusal }, { status: statusOf[refusal] })
}
