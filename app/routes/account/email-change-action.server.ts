import { data, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext, updateSession } from "~/context/session.server"
import { EmailChangeForm, EmailCodeForm } from "~/domain/forms/account-form"
import { accountPath } from "~/domain/orders/screen-paths"
import type { RefusedForm } from "~/domain/refused-form"
import { confirmEmailChange } from "~/flows/customers/confirm-email-change.server"
import { type RequestedEmailChange, requestEmailChange } from "~/flows/customers/request-email-change.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { screenHref } from "../screen-href.server"

export type AccountCustomer = NonNullable<CheckoutSession["customer"]>

/** A refused form of the change of e-mail. */
export type RefusedEmailChange = {
  readonly lastResult: RefusedForm
  readonly status: 400 | 401 | 422 | 429 | 503
  /** Seconds to wait before the next attempt; 0: none. */
  readonly wait: number
}

type Refused = Exclude<RequestedEmailChange["kind"], "requested" | "not-permitted" | "sign-in">

/** Where the page shows why a new e-mail is refused: at a field, or above the form. */
const refusals = {
  same: { at: "email", message: "account.email.same", status: 422 },
  "password-missing": { at: "password", message: "signIn.passwordRequired", status: 400 },
  "wrong-password": { at: "password", message: "account.email.wrongPassword", status: 401 },
  "too-many": { at: "", message: "signIn.tooMany", status: 429 },
  overloaded: { at: "", message: "signIn.busy", status: 503 },
} as const satisfies Record<Refused, { at: string; message: string; status: RefusedEmailChange["status"] }>

/** Asks for another e-mail. Redirects to the form of its code. */
export async function handleEmailChange(
  form: FormData,
  context: RouteContext,
  customer: AccountCustomer,
): Promise<RefusedEmailChange> {
  const submission = submitted(form, EmailChangeForm)
  if (submission.status !== "success") return { lastResult: refused(submission), status: 400, wait: 0 }
  const requested = await requestEmailChange(context.get(servicesContext), {
    ...submission.value,
    customer,
    proof: context.get(sessionContext).proof,
    locale: context.get(localeContext).code,
    who: rateLimitSubject(context),
  })
  switch (requested.kind) {
    case "not-permitted":
      throw data({ kind: "not-found" }, { status: 404 })
    case "requested":
    // The page says that the customer has to sign in again.
    case "sign-in":
      throw redirect(`${screenHref(context, accountPath)}&email#email`, 303)
  }
  const { at, message, status } = refusals[requested.kind]
  const errors = at === "" ? { formErrors: [message] } : { fieldErrors: { [at]: [message] } }
  const wait = "retryAfterSeconds" in requested ? requested.retryAfterSeconds : 0
  return { lastResult: refused(submission, errors), status, wait }
}

/** Changes the e-mail by its code. This session continues under a new id; all others have ended. */
export async function handleEmailCode(
  form: FormData,
  context: RouteContext,
  customer: AccountCustomer,
): Promise<RefusedEmailChange> {
  const submission = submitted(form, EmailCodeForm)
  if (submission.status !== "success") return { lastResult: refused(submission), status: 400, wait: 0 }
  const { proof, choices } = context.get(sessionContext)
  const { code } = submission.value
  const who = rateLimitSubject(context)
  const confirmed = await confirmEmailChange(context.get(servicesContext), { customer, proof, code, who })
  switch (confirmed.kind) {
    case "not-permitted":
      throw data({ kind: "not-found" }, { status: 404 })
    case "too-many": {
      const wait = confirmed.retryAfterSeconds
      return { lastResult: refused(submission, { formErrors: ["signIn.tooMany"] }), status: 429, wait }
    }
    case "wrong":
    case "ended": {
      const fieldErrors = {
        code: [confirmed.kind === "wrong" ? "account.email.codeWrong" : "account.email.codeEnded"],
      }
      return { lastResult: refused(submission, { fieldErrors }), status: 401, wait: 0 }
    }
    case "changed": {
      const { email, at } = confirmed
      const changed = { customer: { ...customer, email }, choices: { ...choices, email } }
      updateSession(context, { id: null, sealedAt: at, pendingSignIn: null, ...changed })
      throw redirect(`${screenHref(context, accountPath)}&done=email#main`, 303)
    }
  }
}
