import { data, redirect } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { updateSession } from "~/context/session.server"
import { AccountIntent } from "~/domain/forms/account-form"
import { accountPath } from "~/domain/orders/screen-paths"
import type { RefusedForm } from "~/domain/refused-form"
import { endSessions } from "~/flows/customers/end-sessions.server"
import { retryAfter } from "~/http/retry-after.server"
import { screenHref } from "../screen-href.server"
import { accountCustomer } from "./account-view.server"
import { type AccountCustomer, handleEmailChange, handleEmailCode } from "./email-change-action.server"
import { signInAgain } from "./sign-in-again.server"

/** Handles the forms of the page of an account: redirects, or returns why the form is refused. */
export async function handleAccountAction(form: FormData, context: RouteContext) {
  const customer = accountCustomer(context)
  const intent = AccountIntent.safeParse(form.get("intent"))
  switch (intent.data) {
    case undefined:
      throw data({ kind: "not-found" }, { status: 404 })
    case "end-sessions":
      return endOtherSessions(context, customer)
    case "sign-in-again":
      return signInAgain(context, screenHref(context, accountPath))
    case "change-email":
      return refuse(await handleEmailChange(form, context, customer))
    case "confirm-email":
      return refuse(await handleEmailCode(form, context, customer))
  }
}

async function endOtherSessions(context: RouteContext, customer: AccountCustomer): Promise<never> {
  // This session has been ended too: it continues under a new id.
  updateSession(context, {
    id: null,
    sealedAt: await endSessions(context.get(servicesContext), customer),
  })
  throw redirect(`${screenHref(context, accountPath)}&done=sessions`, 303)
}

type Refusal = { readonly lastResult: RefusedForm; readonly status: number; readonly wait: number }

function refuse({ lastResult, status, wait }: Refusal) {
  return data({ failed: null, lastResult, retryAfterSeconds: wait }, { status, headers: retryAfter(wait) })
}
