import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { signOutOperator } from "~/flows/admin/operators/sign-in-operator.server"
import type { Route } from "./+types/sign-out"
import { signedOutCookie } from "./operator-cookie.server"

/** Ends the session by POST only; another site cannot send the cookie (SameSite=Strict). */
export async function action({ context }: Route.ActionArgs) {
  const { services, session } = consoleRequest(context)
  await signOutOperator(services, session)
  return redirect("/admin/sign-in", { status: 303, headers: signedOutCookie(context) })
}

export function loader() {
  return redirect("/admin", 303)
}
