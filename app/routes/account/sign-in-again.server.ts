import { data, redirect } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { sessionContext, signedOut } from "~/context/session.server"

/** Signs out, and leads to a page that asks to sign in, where the customer proves the account anew; then to the same service. */
export function signInAgain(context: RouteContext, page: string): never {
  const session = context.get(sessionContext)
  if (session.customer === null) throw data({ kind: "not-found" }, { status: 404 })
  const { customer, serviceId } = session
  const left = signedOut(session)
  context.set(sessionContext, { ...left, serviceId, choices: { ...left.choices, email: customer.email } })
  throw redirect(page, 303)
}
