import { parseWithZod } from "@conform-to/zod/v4"
import { data, redirect, useRouteLoaderData } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext, updateSession } from "~/context/session.server"
import { type Choices, codeOn, isSameSelection } from "~/domain/choices"
import { coinChosen } from "~/domain/coin"
import { CheckoutForm, DraftForm, type Intent, IntentField, PromoForm } from "~/domain/forms/checkout-form"
import { pathOf } from "~/domain/screen-paths"
import { guaranteeIn } from "~/domain/shop/brand"
import { applyCode } from "~/flows/checkout/apply-promo-code.server"
import { limitPromoCodes } from "~/flows/checkout/limit-promo-codes.server"
import { showOffer } from "~/flows/checkout/show-offer.server"
import { startOrder } from "~/flows/checkout/start-review.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { otherSelection } from "~/middleware/other-selection.server"
import { pricing } from "~/middleware/pricing.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { redirections } from "~/middleware/redirections.server"
import type { PageHandle, ShopView } from "~/ssr/document"
import { CheckoutScreen } from "~/ui/checkout/checkout-screen"
import { EmptyCatalogue } from "~/ui/checkout/empty-catalogue"
import type { Route } from "./+types/checkout"
import { screenHref } from "./screen-href.server"

export const middleware: Route.MiddlewareFunction[] = [
  otherSelection(draftOf),
  redirections("checkout"),
  pricing,
]
export const handle = {
  title: "title.checkout",
  public: true,
  description: "description.checkout",
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const offer = await showOffer(
    services,
    context.get(sessionContext).choices,
    context.get(pricingContext).currency,
  )
  if (!offer) return data({ offer }, { status: 503 })
  return data({
    offer: { ...offer, guarantee: guaranteeIn(services.shop.brand, context.get(localeContext).code) },
  })
}

export async function action({ request, ...args }: Route.ActionArgs) {
  const form = await formOf(request)
  const { intent } = IntentField.parse({ intent: form.get("intent") })
  return actionHandlers[intent](form, args)
}

type Args = Omit<Route.ActionArgs, "request">

const actionHandlers: Record<Intent, (form: FormData, args: Args) => Promise<ReturnType<typeof refuse>>> = {
  async update(form, args) {
    if (form.get("promoCode")) return actionHandlers["apply-promo"](form, args)
    const promoCode = codeOn("plan", args.context.get(sessionContext).choices)
    choose(args, { ...draftOf(form), promoCode })
    throw backTo(args.context, pathOf.viewer.checkout)
  },

  async "apply-promo"(form, { context }) {
    const submission = parseWithZod(form, { schema: PromoForm })
    if (submission.status !== "success") return refuse(form, submission.error, 400)
    const { plan, promoCode } = submission.value
    const tried = await limitPromoCodes(context.get(servicesContext), promoCode, rateLimitSubject(context))
    if (!tried.ok) return waitWithCodes(form, tried.retryAfterSeconds)
    const { promotion } = tried
    const { currency } = context.get(pricingContext)
    const applied = applyCode(
      context.get(servicesContext),
      { ...draftOf(form), plan },
      { promotion, currency },
    )
    if (applied.kind === "rejected") return refuse(form, { promoCode: [applied.reason] }, 422)
    choose({ context }, applied.choices)
    throw backTo(context, pathOf.viewer.checkout)
  },

  async "remove-promo"(form, args) {
    choose(args, draftOf(form))
    throw backTo(args.context, pathOf.viewer.checkout)
  },

  async pay(form, { context }) {
    const submission = parseWithZod(form, { schema: CheckoutForm })
    if (submission.status !== "success") return refuse(form, submission.error, 400)

    const services = context.get(servicesContext)
    const session = context.get(sessionContext)
    const { shown, promoCode, ...request } = submission.value
    const tried = await limitPromoCodes(services, promoCode, rateLimitSubject(context))
    if (!tried.ok) return waitWithCodes(form, tried.retryAfterSeconds)
    const { currency } = context.get(pricingContext)
    const { promotion } = tried
    const agreed = { code: codeOn("plan", session.choices), total: shown, currency, promotion }
    const start = await startOrder(
      services,
      { ...request, kind: "plan", promoCode: promoCode || null, coin: coinChosen(form, request.gateway) },
      agreed,
    )
    if (start.kind === "rejected")
      return refuse(form, { [start.field]: [start.reason] }, start.field === "form" ? 503 : 422)

    updateSession(context, {
      choices: start.choices,
      currency,
      draft: { key: unusedKey(session, start.choices) ?? services.newId(), total: start.total },
    })
    throw backTo(context, pathOf.viewer.creatingOrder)
  },
}

/**
 * The session's idempotency key, for the same selection again. A key that has placed an order belongs to it, and one of
 * another selection to the tab that shows it.
 */
function unusedKey({ orderId, choices, draft }: CheckoutSession, chosen: Choices): string | undefined {
  return orderId === null && isSameSelection(chosen, choices) ? draft?.key : undefined
}

/** Stores a changed selection without a draft: it has to pass the review step again. */
function choose({ context }: Pick<Args, "context">, choices: Choices): void {
  updateSession(context, {
    choices,
    draft: null,
    currency: context.get(pricingContext).currency,
  })
}

type Status = 400 | 422 | 429 | 503

/** The page with error messages at the fields and the submitted values. */
function refuse(form: FormData, errors: Record<string, string[] | null> | null, status: Status, wait = 0) {
  const typed = { email: textOf(form, "email"), promoCode: textOf(form, "promoCode") }
  const headers = retryAfter(wait)
  return data({ errors: errors ?? {}, typed, choices: draftOf(form) }, { status, headers })
}

function waitWithCodes(form: FormData, seconds: number) {
  return refuse(form, { promoCode: ["promotion.too-many"] }, 429, seconds)
}

function draftOf(form: FormData): Choices {
  const draft = DraftForm.parse({
    plan: form.get("plan") ?? undefined,
    email: form.get("email") ?? undefined,
    gateway: form.get("gateway") ?? undefined,
    extraConnection: form.has("extraConnection"),
    proxyProtection: form.has("proxyProtection"),
  })
  return {
    ...draft,
    kind: "plan",
    plan: draft.plan ?? null,
    email: draft.email || null,
    gateway: draft.gateway ?? null,
    coin: coinChosen(form, draft.gateway),
    promoCode: null,
  }
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

function backTo(context: Args["context"], path: string): Response {
  return redirect(screenHref(context, path), 303)
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { offer } = loaderData
  const ownsService = useRouteLoaderData<ShopView>("root")?.ownsService ?? false
  if (!offer) return <EmptyCatalogue />
  const refused = actionData && {
    ...actionData,
    choices: { ...offer.choices, ...chosen(actionData.choices) },
  }
  return (
    <CheckoutScreen
      {...offer}
      ownsService={ownsService}
      typed={{ email: offer.choices.email ?? "", promoCode: "" }}
      {...refused}
    />
  )
}

/** The valid choices of a rejected form; the others keep their defaults. */
function chosen({ plan, gateway, ...rest }: Choices) {
  return { ...rest, ...(plan && { plan }), ...(gateway && { gateway }) }
}
