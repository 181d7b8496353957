import { data, redirect } from "react-router"
import { affiliateContext } from "~/context/affiliate.server"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession, withOrder } from "~/context/session.server"
import { UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { KEPT_EMAIL } from "~/domain/forms/hidden-fields"
import { HONEYPOT } from "~/domain/forms/honeypot"
import { TrialForm } from "~/domain/forms/trial-form"
import { emptyChoices } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import { orderPath, pathOf } from "~/domain/orders/screen-paths"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { startTrial } from "~/flows/checkout/start-trial.server"
import { warnsOfEmail } from "~/flows/checkout/unreachable-email.server"
import { formOf, textIn } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { submitted } from "~/http/submitted-form.server"
import { noStore } from "~/middleware/cache-control.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import type { PageHandle } from "~/ssr/document"
import { TrialScreen } from "~/ui/trial/trial-screen"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/trial"
import { trialView } from "./trial-view.server"

export const middleware: Route.MiddlewareFunction[] = [noStore, pricing]
export const handle = { title: "title.trial", public: false } satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader({ context }: Route.LoaderArgs) {
  // A browser without an id gets one with the form, and may have one trial.
  rateLimitSubject(context)
  return { view: await shown(context) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const typed = { plan: textIn(form, "plan"), email: textIn(form, "email") }
  const refuse = async (status: number, why: Omit<Parameters<typeof shown>[1], "typed">, wait = 0) =>
    data({ view: await shown(context, { ...why, typed }) }, { status, headers: retryAfter(wait) })

  const submission = submitted(form, TrialForm)
  if (submission.status !== "success")
    return refuse(
      400,
      submission.error?.email ? { emailError: "checkout.email.invalid" } : { problem: "gone" },
    )
  // A browser's autofill may have filled it in; a program does it always.
  if (form.get(HONEYPOT)) return refuse(400, { problem: "gone" })
  const { plan: planId, email, key } = submission.value
  const services = context.get(servicesContext)
  const who = rateLimitSubject(context)
  const tried = await limitOrders(services, { ...who, email, key })
  if (!tried.ok) return refuse(429, { problem: "tooMany" }, tried.retryAfterSeconds)
  if (form.get(KEPT_EMAIL) !== typed.email && (await warnsOfEmail(services, email, who)))
    return refuse(422, { emailError: UNREACHABLE_EMAIL })

  const start = await startTrial(services, {
    planId,
    email,
    key,
    customer: context.get(sessionContext).customer,
    pricing: context.get(pricingContext),
    locale: context.get(localeContext).code,
    address: context.get(requestContext).address,
    browser: who.visitor,
    affiliateId: context.get(affiliateContext),
  })
  if (start.kind === "refused") return refuse(422, { problem: start.reason })
  throw leave(context, start.order)
}

/** Shows what has begun; an order on hold is shown by the review step. */
function leave(context: RouteContext, order: Order): Response {
  context.set(sessionContext, withOrder(context.get(sessionContext), order))
  const { lines, gateway, email } = order
  const plan = lines.find((it) => it.kind === "plan")?.productId ?? null
  updateSession(context, { draft: null, choices: { ...emptyChoices, plan, gateway, email } })
  const isHeld = order.status === "fraud"
  return redirect(
    screenHref(context, isHeld ? pathOf.viewer.creatingOrder : orderPath("success", order)),
    303,
  )
}

/** Nothing about trials is shown by a shop that has none. */
async function shown(context: RouteContext, refused: Parameters<typeof trialView>[1] = null) {
  const view = await trialView(context, refused)
  if (view === null) throw data({ kind: "not-found" }, { status: 404 })
  return view
}

export default function TrialPage({ loaderData, actionData }: Route.ComponentProps) {
  return <TrialScreen view={actionData?.view ?? loaderData.view} />
}
