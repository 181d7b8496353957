import { data, type MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"
import { statusOf } from "~/domain/error-kind"

/** Shows the error page of a request that the server rejected, in the visitor's language. */
export const rejection: MiddlewareFunction<Response> = ({ context, params }) => {
  const { rejection } = context.get(requestContext)
  // The served API answers in its own JSON form.
  if (rejection && params.call === undefined) throw data({ kind: rejection }, { status: statusOf[rejection] })
}
