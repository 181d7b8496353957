import { data, type MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"
import { statusOf } from "~/domain/error-kind"

/**
 * Answers a request that the server rejected with its status; on a page, with the error page in the visitor's language. A method that
 * is not allowed is left to `allowMethods`, which knows those that are.
 */
export const rejection: MiddlewareFunction<Response> = ({ context }) => {
  const { rejection } = context.get(requestContext)
  if (rejection !== null && rejection !== "method-not-allowed")
    throw data({ kind: rejection }, { status: statusOf[rejection] })
}
