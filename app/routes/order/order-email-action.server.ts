import { redirect } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { type Services, servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { isErased } from "~/domain/customers/email"
import { OrderEmailForm } from "~/domain/forms/checkout-form"
import { HONEYPOT } from "~/domain/forms/honeypot"
import type { Order } from "~/domain/orders/order"
import { CORRECT_EMAIL } from "~/domain/orders/screen-paths"
import type { RefusedForm } from "~/domain/refused-form"
import { isUnreachable as isEmailUnreachable } from "~/flows/checkout/unreachable-email.server"
import { correctOrderEmail, emailOfOrder } from "~/flows/customers/correct-email.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"

/** Whether the page shows the form that corrects the e-mail; without script it must not reload then. */
export function isCorrecting(url: URL): boolean {
  return url.searchParams.has(CORRECT_EMAIL)
}

/** The e-mail of the session's order, for its page; null without an order, or once it is erased. */
export async function shownEmail(
  services: Pick<Services, "hasExternalBilling" | "mails" | "shop">,
  order: Order | null,
  url: URL,
) {
  if (!order || isErased(order.email)) return null
  const shown = emailOfOrder(services, order)
  // What the buyer cannot correct is not looked up.
  const isUnreachable = shown.isCorrectable && (await isEmailUnreachable(services, shown.email))
  return { ...shown, isUnreachable, isOpen: isCorrecting(url) }
}

/** A refused correction. */
export type RefusedEmail = {
  readonly status: 400 | 409 | 429
  readonly retryAfterSeconds: number
  readonly lastResult: RefusedForm
}

/** Handles the form that corrects the e-mail of the session's order; redirects to `path` once it is corrected. */
export async function handleOrderEmailAction(
  form: FormData,
  { context, path }: { context: RouteContext; path: string },
): Promise<RefusedEmail> {
  const submission = submitted(form, OrderEmailForm)
  if (submission.status !== "success")
    return { status: 400, retryAfterSeconds: 0, lastResult: refused(submission) }
  if (form.get(HONEYPOT)) {
    const again = refused(submission, { fieldErrors: { email: ["signIn.mail.again"] } })
    return { status: 400, retryAfterSeconds: 0, lastResult: again }
  }
  const { orderId, choices } = context.get(sessionContext)
  if (orderId === null) throw redirect(path, 303)
  const { email } = submission.value
  const who = rateLimitSubject(context)
  const correction = await correctOrderEmail(context.get(servicesContext), { orderId, email, who })
  if (correction.kind === "too-many") {
    const { retryAfterSeconds } = correction
    const tooMany = refused(submission, { fieldErrors: { email: ["orderEmail.tooMany"] } })
    return { status: 429, retryAfterSeconds, lastResult: tooMany }
  }
  if (correction.kind === "refused") {
    const final = refused(submission, { fieldErrors: { email: ["orderEmail.refused"] } })
    return { status: 409, retryAfterSeconds: 0, lastResult: final }
  }
  updateSession(context, { choices: { ...choices, email } })
  throw redirect(path, 303)
}
