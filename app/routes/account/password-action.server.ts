import { data } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { PasswordForm } from "~/domain/forms/service-form"
import type { RefusedForm } from "~/domain/refused-form"
import { setPassword } from "~/flows/customers/set-password.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"

type Refusal = {
  readonly lastResult: RefusedForm
  readonly status: 400 | 401 | 422 | 429 | 503
  /** Seconds to wait before the next attempt; 0: none. */
  readonly wait: number
}

/** Sets a customer's password. Returns why the form is refused, or null on success. */
export async function handlePasswordAction(form: FormData, context: RouteContext): Promise<Refusal | null> {
  const submission = submitted(form, PasswordForm)
  if (submission.status !== "success") return { lastResult: refused(submission), status: 400, wait: 0 }
  const because = (message: string) => refused(submission, { fieldErrors: { password: [message] } })
  const chosen = { password: submission.value.password, who: rateLimitSubject(context) }
  const services = context.get(servicesContext)
  const change = await setPassword(services, context.get(sessionContext), chosen)
  switch (change.kind) {
    case "not-permitted":
      throw data({ kind: "not-found" }, { status: 404 })
    // The page asks to sign in again, in place of the form.
    case "sign-in":
      return { lastResult: refused(submission), status: 401, wait: 0 }
    case "guessable":
      return { lastResult: because("password.guessable"), status: 422, wait: 0 }
    case "too-many":
      return { lastResult: because("password.too-many"), status: 429, wait: change.retryAfterSeconds }
    case "overloaded":
      return { lastResult: because("signIn.busy"), status: 503, wait: change.retryAfterSeconds }
    case "done":
      // All earlier sessions have been ended, this one included: it continues under a new id.
      updateSession(context, { id: null, sealedAt: services.now(), passwordEnded: undefined })
      return null
  }
}
