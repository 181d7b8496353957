import { data, redirect } from "react-router"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { isCountryCode } from "~/domain/customers/country-codes"
import { StatedBusiness } from "~/domain/forms/business-form"
import { removeBusiness, type Statement, stateBusiness } from "~/flows/checkout/state-business.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { submitted } from "~/http/submitted-form.server"
import { noStore } from "~/middleware/cache-control.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import type { PageHandle } from "~/ssr/document"
import { BusinessScreen } from "~/ui/business/business-screen"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/business"
import { checkoutBehind, problemsOf, refusedView, statedView } from "./business-view.server"

export const middleware: Route.MiddlewareFunction[] = [noStore, pricing]
export const handle = {
  title: "scriptless.business",
  public: false,
  isScriptless: true,
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

/** The business that buys: a page of its own, whose texts and form no script of the checkout has to bring. */
export function loader({ url, context }: Route.LoaderArgs) {
  checkTaxed(context)
  return { view: statedView(context, url) }
}

/** Stores the business, or removes it, and leads back to the checkout with its prices. */
export async function action({ request, url, context }: Route.ActionArgs) {
  checkTaxed(context)
  const form = await formOf(request)
  const services = context.get(servicesContext)
  const { customer } = context.get(sessionContext)
  if (form.get("intent") === "remove") {
    await removeBusiness(services, customer)
    updateSession(context, { business: undefined, draft: null })
    throw redirect(screenHref(context, checkoutBehind(url)), 303)
  }
  const submission = submitted(form, StatedBusiness)
  if (submission.status !== "success")
    return data(
      { view: refusedView(context, { url, form, problems: submission.error ?? {} }) },
      { status: 400 },
    )
  const typed = form.get("country")
  const country = isCountryCode(typed) ? typed : context.get(pricingContext).country
  const statement = await stateBusiness(services, {
    typed: submission.value,
    country,
    customer,
    who: rateLimitSubject(context),
  })
  if (statement.kind !== "stated") return refuse(context, { url, form, statement })
  // Prices may be others: the review step comes again.
  updateSession(context, { business: statement.business, country, draft: null })
  throw redirect(screenHref(context, checkoutBehind(url)), 303)
}

type Refused = {
  readonly url: URL
  readonly form: FormData
  readonly statement: Exclude<Statement, { kind: "stated" }>
}

function refuse(context: RouteContext, { url, form, statement }: Refused) {
  const wait = statement.kind === "too-many" ? statement.retryAfterSeconds : 0
  const view = refusedView(context, { url, form, problems: problemsOf(context, form, statement) })
  return data({ view }, { status: wait > 0 ? 429 : 422, headers: retryAfter(wait) })
}

/** A shop that taxes nothing asks for no business. */
function checkTaxed(context: RouteContext): void {
  if (context.get(servicesContext).shop.tax === null) throw data({ kind: "not-found" }, { status: 404 })
}

export default function BusinessPage({ loaderData, actionData }: Route.ComponentProps) {
  return <BusinessScreen view={actionData?.view ?? loaderData.view} />
}
