import type { MiddlewareFunction } from "react-router"
import { formSentBefore, operatorSignedIn } from "~/middleware/console.server"
import type { Route } from "./+types/signed-in"

/**
 * What is not there is said in the console, whose menu leads on: a 404 without a body would become the checkout's page. Its page is
 * loaded with its first use, as those of the routes are (`scripts/build/lazy-console-plugin.mjs`).
 */
const notFound: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  // What was typed is shown, if what the form is about was removed meanwhile. An action reads the body.
  const sent = request.method === "POST" ? request.clone() : null
  const response = await next()
  if (response.status !== 404 || response.body !== null) return response
  const { notFoundPage } = await import("./not-found-page.server")
  return notFoundPage(context, sent)
}

export const middleware: Route.MiddlewareFunction[] = [operatorSignedIn, formSentBefore, notFound]
