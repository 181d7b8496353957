import { data, type MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"
import { statusOf } from "~/domain/error-kind"

/** Answers a request that the server rejected with its status; on a page, with the error page in the visitor's language. */
export const rejection: MiddlewareFunction<Response> = ({ context }) => {
  const { rejection } = context.get(requestContext)
  if (rejection) throw data({ kind: rejection }, { status: statusOf[rejection] })
}
