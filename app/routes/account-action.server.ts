import { data, type RouterContextProvider, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { updateSession } from "~/context/session.server"
import { accountPath } from "~/domain/screen-paths"
import { endSessions } from "~/flows/customers/end-sessions.server"
import { accountCustomer } from "./account-view.server"
import { screenHref } from "./screen-href.server"

/** Handles the forms of the page of an account. */
export async function handleAccountAction(
  form: FormData,
  context: Readonly<RouterContextProvider>,
): Promise<never> {
  const customer = accountCustomer(context)
  if (form.get("intent") !== "end-sessions") throw data({ kind: "not-found" }, { status: 404 })
  // This session has been ended too: it continues under a new id.
  updateSession(context, {
    id: null,
    sealedAt: await endSessions(context.get(servicesContext), customer),
  })
  throw redirect(`${screenHref(context, accountPath)}&done=sessions`, 303)
}
