import { parseWithZod } from "@conform-to/zod/v4"
import { data, type RouterContextProvider, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, signedIn, updateSession } from "~/context/session.server"
import { type Choices, choicesOn, codeOn } from "~/domain/choices"
import { coinChosen } from "~/domain/coin"
import { type Intent, IntentField, PromoForm } from "~/domain/forms/checkout-form"
import {
  ClaimsExisting,
  ExistingResellerForm,
  NewResellerForm,
  ResellerDraftForm,
  ResellerOrderForm,
} from "~/domain/forms/reseller-form"
import { pathOf } from "~/domain/screen-paths"
import { applyCode } from "~/flows/checkout/apply-promo-code.server"
import { limitPromoCodes } from "~/flows/checkout/limit-promo-codes.server"
import {
  type Buyer,
  type ResellerStart,
  startResellerOrder,
} from "~/flows/resellers/start-reseller-review.server"
import { retryAfter } from "~/http/retry-after.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { screenHref } from "./screen-href.server"

type Args = { context: Readonly<RouterContextProvider> }
type FieldErrors = Record<string, string[] | null>
type ActionResponse = ReturnType<typeof refuse>

/** Handles the reseller checkout form. */
export async function handleResellerAction(form: FormData, args: Args): Promise<ActionResponse> {
  const { intent } = IntentField.parse({ intent: form.get("intent") })
  return actionHandlers[intent](form, args)
}

const actionHandlers: Record<Intent, (form: FormData, args: Args) => Promise<ActionResponse>> = {
  async update(form, args) {
    if (form.get("promoCode")) return actionHandlers["apply-promo"](form, args)
    const promoCode = codeOn("reseller", args.context.get(sessionContext).choices)
    return choose(form, args, { ...chosenIn(form, args.context), promoCode })
  },

  async "apply-promo"(form, args) {
    const submission = parseWithZod(form, { schema: PromoForm })
    if (submission.status !== "success") return refuse(form, submission.error ?? {}, 400)
    const { plan, promoCode } = submission.value
    const services = args.context.get(servicesContext)
    const tried = await limitPromoCodes(services, promoCode, rateLimitSubject(args.context))
    if (!tried.ok) return waitWith(form, tooManyCodes, 429, tried.retryAfterSeconds)
    const { promotion } = tried
    const { currency } = args.context.get(pricingContext)
    const applied = applyCode(services, { ...chosenIn(form, args.context), plan }, { promotion, currency })
    if (applied.kind === "rejected") return refuse(form, { promoCode: [applied.reason] }, 422)
    return choose(form, args, applied.choices)
  },

  async "remove-promo"(form, args) {
    return choose(form, args, chosenIn(form, args.context))
  },

  async pay(form, { context }) {
    const session = context.get(sessionContext)
    const read = readOrder(form, session.customer)
    if ("errors" in read) return refuse(form, read.errors, 400)

    const services = context.get(servicesContext)
    const { shown, promoCode, buyer, ...request } = read
    const client = rateLimitSubject(context)
    const tried = await limitPromoCodes(services, promoCode, client)
    if (!tried.ok) return waitWith(form, tooManyCodes, 429, tried.retryAfterSeconds)
    const pricing = context.get(pricingContext)
    const { promotion } = tried
    const start = await startResellerOrder(services, {
      ...request,
      buyer,
      promoCode: promoCode || null,
      coin: coinChosen(form, request.gateway),
      agreed: { code: codeOn("reseller", session.choices), total: shown, promotion },
      pricing,
      locale: context.get(localeContext).code,
      who: client,
    })
    if (start.kind !== "ready") return turnedDown(form, start)

    const proof = { how: "password", at: services.now() } as const
    if (start.customer) context.set(sessionContext, signedIn(session, start.customer, proof))
    updateSession(context, {
      choices: start.choices,
      currency: pricing.currency,
      draft: { key: start.key, total: start.total },
    })
    throw redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
  },
}

const tooManyCodes: FieldErrors = { promoCode: ["promotion.too-many"] }

function turnedDown(form: FormData, start: Exclude<ResellerStart, { kind: "ready" }>): ActionResponse {
  switch (start.kind) {
    case "wrong":
      // The text depends on the answer that was submitted, never on whether the e-mail is registered.
      return refuse(
        form,
        { form: [claimsExisting(form) ? "resellers.wrongPassword" : "resellers.wrong"] },
        401,
      )
    case "too-many":
      return refuse(form, {}, 429, start.retryAfterSeconds)
    case "overloaded":
      return waitWith(form, { form: ["signIn.busy"] }, 503, start.retryAfterSeconds)
    case "rejected":
      return refuse(form, { [start.field]: [start.reason] }, start.field === "form" ? 503 : 422)
  }
}

/** The parsed form, or all errors by field. */
function readOrder(form: FormData, customer: { email: string } | null) {
  const order = parseWithZod(form, { schema: ResellerOrderForm })
  const buyer = buyerIn(form, customer)
  const errors = "errors" in buyer ? buyer.errors : {}
  if (order.status !== "success") return { errors: { ...order.error, ...errors } }
  return "errors" in buyer ? buyer : { ...order.value, buyer }
}

/** The signed-in customer, or the account fields that are visible for the chosen answer. */
function buyerIn(form: FormData, customer: { email: string } | null): Buyer | { errors: FieldErrors } {
  if (customer) return { kind: "signed-in", email: customer.email }
  if (claimsExisting(form)) {
    const parsed = parseWithZod(form, { schema: ExistingResellerForm })
    if (parsed.status === "success") return { kind: "existing", ...parsed.value }
    return { errors: parsed.error ?? {} }
  }
  const parsed = parseWithZod(form, { schema: NewResellerForm })
  if (parsed.status !== "success") return { errors: parsed.error ?? {} }
  return { kind: "new", email: parsed.value.email, password: parsed.value.newPassword }
}

/** Stores a changed selection without a draft: it has to pass the review step again. */
function choose(form: FormData, { context }: Args, choices: Choices): never {
  updateSession(context, {
    choices,
    draft: null,
    currency: context.get(pricingContext).currency,
  })
  const existing = claimsExisting(form) ? "?existing=yes" : ""
  throw redirect(`${screenHref(context, pathOf.reseller.checkout)}${existing}`, 303)
}

/** The valid choices of the form; the others stay unchanged. */
export function chosenIn(form: FormData, context: Args["context"]): Choices {
  const before = choicesOn("reseller", context.get(sessionContext).choices)
  const { plan, email, gateway } = draftIn(form)
  return {
    ...before,
    plan: plan ?? before.plan,
    email: email || before.email,
    gateway: gateway ?? before.gateway,
    coin: coinChosen(form, gateway),
    promoCode: null,
  }
}

function draftIn(form: FormData) {
  const sent = (name: string) => form.get(name) ?? undefined
  return ResellerDraftForm.parse({ plan: sent("plan"), email: sent("email"), gateway: sent("gateway") })
}

/** The page with error messages at the fields and the submitted values except passwords. */
function refuse(form: FormData, errors: FieldErrors, status: 400 | 401 | 422 | 429 | 503, wait = 0) {
  const typed = { email: textOf(form, "email"), promoCode: textOf(form, "promoCode") }
  const { plan, gateway } = draftIn(form)
  const existing = claimsExisting(form)
  const headers = retryAfter(wait)
  return data({ errors, typed, plan, gateway, existing, wait }, { status, headers })
}

/** Sets Retry-After without `wait`, which would show the message for too many sign-in attempts. */
function waitWith(form: FormData, errors: FieldErrors, status: 429 | 503, seconds: number) {
  const { data: refused, init } = refuse(form, errors, status)
  return data(refused, { ...init, headers: retryAfter(seconds) })
}

function claimsExisting(form: FormData): boolean {
  return ClaimsExisting.parse(form.get("existing"))
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}
