import { data, type MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"
import { statusOf } from "~/domain/error-kind"

/** Shows the error page of a request that the server rejected, in the visitor's language. */
export const refusal: MiddlewareFunction<Response> = ({ context, params }) => {
  const { refusal } = context.get(requestContext)
  // The served API answers in its own JSON form.
  if (refusal && params.call === undefined) throw data({ kind: refusal }, { status: statusOf[refusal] })
}
