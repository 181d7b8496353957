import { data, redirect } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { ownsAccount } from "~/domain/customers/customer"
import { statusOf } from "~/domain/error-kind"
import { DeclineForm, LowerPriceForm, RenewalDraft } from "~/domain/forms/renewal-form"
import { DeviceForm, NotesForm, ServiceIntent } from "~/domain/forms/service-form"
import { UpsellDraft } from "~/domain/forms/upsell-form"
import { money } from "~/domain/money/money"
import { nextPlanPath, pathOf, RENEW, renewalPath } from "~/domain/orders/screen-paths"
import type { RefusedForm } from "~/domain/refused-form"
import type { Service } from "~/domain/services/service"
import { takeLowerPrice } from "~/flows/checkout/price-renewal.server"
import { accessibleService } from "~/flows/services/accessible-services.server"
import {
  type DeviceChange,
  noteOnService,
  recreateService,
  restartService,
  tieToDevice,
} from "~/flows/services/change-service.server"
import { limitFreeAction } from "~/flows/services/limit-free-actions.server"
import { cancelUpgrade } from "~/flows/services/upgrade-plan.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { handlePasswordAction } from "../account/password-action.server"
import { signInAgain } from "../account/sign-in-again.server"
import { handleOrderEmailAction } from "../order/order-email-action.server"
import type { placeServiceOrder } from "../order/place-service-order.server"
import { orderNextPlan, orderPlanChange, orderPlanUpgrade } from "../plan-change/plan-action.server"
import { orderInvoice, orderRenewal } from "../renewal/renewal-action.server"
import { screenHref } from "../screen-href.server"
import { orderUpsell } from "../upsell/upsell-action.server"
import { orderTopUp } from "./top-up-action.server"

type Args = { request: Request; context: RouteContext }
type Intent = (typeof ServiceIntent.options)[number]
type Failed = "device" | "restart" | "recreate"

/** Values of the `done` query parameter that the page confirms. */
const tellable = ["device", "notes", "restart", "recreate", "password"] as const

export function doneIn(query: URLSearchParams): (typeof tellable)[number] | null {
  return tellable.find((it) => it === query.get("done")) ?? null
}

/** Handles the forms of the service page. A missing service and one of another customer both answer 404. */
export async function handleServiceAction(form: FormData, args: Args) {
  const { context } = args
  if (form.get("intent") === "email") return correctEmail(form, context)
  const intent = ServiceIntent.safeParse(form.get("intent"))
  const serviceId = form.get("serviceid")
  const services = context.get(servicesContext)
  const service =
    typeof serviceId === "string"
      ? await accessibleService(services, context.get(sessionContext), serviceId)
      : null
  if (!service || !intent.success) throw data({ kind: "not-found" }, { status: 404 })
  // Another tab may have chosen another service since: the answer is about this one.
  updateSession(context, { serviceId: service.id })
  if (renewalChoices.has(intent.data)) await countRenewalChoice(services, service)
  return actionHandlers[intent.data]({ form, args, service, services })
}

/** Choices about the renewal that no order follows: nothing else limits how often they are made. */
const renewalChoices: ReadonlySet<Intent> = new Set<Intent>([
  "decline",
  "undecline",
  "balance-on",
  "balance-off",
  "plan-next",
  "plan-keep",
])

async function countRenewalChoice(services: LoggedServices, service: Service): Promise<void> {
  const allowed = await limitFreeAction(services, { limit: "renewal-choice", serviceId: service.id })
  if (!allowed.ok) refuseAsTooMany(allowed.retryAfterSeconds)
}

/** The error page that says when to try again. */
function refuseAsTooMany(retryAfterSeconds: number): never {
  const init = { status: statusOf["too-many"], headers: retryAfter(retryAfterSeconds) }
  throw data({ kind: "too-many", retryAfterSeconds }, init)
}

/** Consent to renew from account credit: given for the whole account only, as the credit is the account's. */
async function setConsent({ args, service, services }: ActionRequest, isOn: boolean): Promise<never> {
  const { customer } = args.context.get(sessionContext)
  if (!ownsAccount(customer, service)) throw data({ kind: "not-found" }, { status: 404 })
  await services.billing.setBalanceRenewal(service.id, isOn, services.now())
  throw redirect(screenHref(args.context, renewalPath), 303)
}

async function correctEmail(form: FormData, context: Args["context"]): Promise<ActionResponse> {
  const path = screenHref(context, pathOf.viewer.success)
  const { status, retryAfterSeconds, lastResult } = await handleOrderEmailAction(form, { context, path })
  return refuse({ lastResult }, status, retryAfterSeconds)
}

type ActionRequest = { form: FormData; args: Args; service: Service; services: LoggedServices }
type ActionResponse = ReturnType<typeof refuse>

const actionHandlers: Record<Intent, (request: ActionRequest) => Promise<ActionResponse>> = {
  async device(request) {
    const submission = submitted(request.form, DeviceForm)
    if (submission.status !== "success") return refuse({ lastResult: refused(submission) }, 400)
    const { deviceAddress } = submission.value
    return changed(request, {
      action: "device",
      change: () => tieToDevice(request.services, request.service, deviceAddress),
      lastResult: refused(submission),
    })
  },

  async notes(request) {
    const submission = submitted(request.form, NotesForm)
    if (submission.status !== "success") return refuse({ lastResult: refused(submission) }, 400)
    await noteOnService(request.services, request.service, submission.value.notes)
    return back(request, "notes")
  },

  async restart(request) {
    return changed(request, {
      action: "restart",
      change: () => restartService(request.services, request.service),
    })
  },

  async recreate(request) {
    return changed(request, {
      action: "recreate",
      change: () => recreateService(request.services, request.service),
    })
  },

  async password(request) {
    const refusal = await handlePasswordAction(request.form, request.args.context)
    if (!refusal) return back(request, "password")
    const { lastResult, status, wait } = refusal
    return refuse({ lastResult }, status, wait)
  },

  async "sign-in-again"({ args }) {
    return signInAgain(args.context, `${screenHref(args.context, pathOf.viewer.success)}?signin`)
  },

  async upsell(request) {
    return answered(await orderUpsell(request.form, request.args))
  },

  async renew(request) {
    const order = request.form.has("invoice") ? orderInvoice : orderRenewal
    return answered(await order(request.form, request.args))
  },

  async "renew-update"({ form, args }) {
    const draft = { cycles: form.get("cycles"), invoice: form.get("invoice"), also: form.getAll("also") }
    const { cycles, invoice, also } = RenewalDraft.parse(draft)
    const chosen = new URLSearchParams(also.map((id) => ["also", id]))
    if (invoice !== undefined) chosen.set("invoice", invoice)
    if (cycles !== undefined) chosen.set("cycles", String(cycles))
    chosen.set(RENEW, "")
    throw redirect(`${screenHref(args.context, pathOf.viewer.success)}?${chosen}#renewal`, 303)
  },

  async "lower-price"({ form, args, service, services }) {
    const submission = submitted(form, LowerPriceForm)
    if (submission.status !== "success") return refuse({ lastResult: refused(submission) }, 400)
    const to = money(submission.value.price, service.currency)
    await takeLowerPrice(services, service, to)
    throw redirect(screenHref(args.context, renewalPath), 303)
  },

  async decline({ form, args, service, services }) {
    const { reason } = DeclineForm.parse(Object.fromEntries(form))
    await services.billing.declineRenewal(service.id, reason, services.now())
    throw redirect(screenHref(args.context, renewalPath), 303)
  },

  async "balance-on"(request) {
    return setConsent(request, true)
  },

  async "balance-off"(request) {
    return setConsent(request, false)
  },

  async topup({ form, args, service }) {
    return answered(await orderTopUp(form, args, service))
  },

  async "plan-change"({ form, args, service }) {
    return answered(await orderPlanChange(form, args, service))
  },

  async "plan-upgrade"({ form, args, service }) {
    return answered(await orderPlanUpgrade(form, args, service))
  },

  async "plan-next"({ form, args, service }) {
    return answered(await orderNextPlan(form, args, service))
  },

  async "plan-keep"({ args, service, services }) {
    const { planUpgrades } = services
    if (planUpgrades) await cancelUpgrade({ ...services, planUpgrades }, service)
    else await services.billing.keepPlan(service.id, services.now())
    throw redirect(screenHref(args.context, nextPlanPath()), 303)
  },

  async undecline({ args, service, services }) {
    await services.billing.resumeRenewal(service.id, services.now())
    throw redirect(screenHref(args.context, renewalPath), 303)
  },

  async "upsell-update"({ form, args }) {
    const { quantity } = UpsellDraft.parse(Object.fromEntries(form))
    throw redirect(
      `${screenHref(args.context, pathOf.viewer.success)}${quantity ? `?quantity=${quantity}#upsell` : ""}`,
      303,
    )
  },
}

type Requested = { action: Failed; change: () => Promise<DeviceChange>; lastResult?: RefusedForm }

/** Asks the panel for a change, unless it was asked too often. */
async function changed(request: ActionRequest, requested: Requested): Promise<ActionResponse> {
  const allowed = await limitFreeAction(request.services, {
    limit: "panel-call",
    serviceId: request.service.id,
  })
  if (!allowed.ok) return tooOften(requested, allowed.retryAfterSeconds)
  return answerTo(request, { ...requested, change: await requested.change() })
}

/** The page's words for new login details that have failed say that they are tried again, which would be wrong here. */
function tooOften({ action, lastResult }: Requested, retryAfterSeconds: number): ActionResponse {
  if (action !== "recreate") return refuse({ failed: action, lastResult }, 429, retryAfterSeconds)
  return refuseAsTooMany(retryAfterSeconds)
}

type Changed = Omit<Requested, "change"> & { change: DeviceChange }

/**
 * A service that is not active gets 409, and the page shows and explains its current state. A blocked device is told from a panel
 * that does not answer by its status alone: who is blocked is not told why.
 */
function answerTo(request: ActionRequest, { action, change, lastResult }: Changed): ActionResponse {
  if (change === "not-answered") return refuse({ failed: action, lastResult }, 503)
  // The page says that the panel is still being asked.
  if (change === "unconfirmed") throw redirect(screenHref(request.args.context, pathOf.viewer.success), 303)
  if (change === "changed") return refuse({ failed: action, lastResult }, 409)
  if (change === "blocked") return refuse({ failed: action, lastResult }, 422)
  if (change === "not-active") return refuse({ lastResult }, 409)
  return back(request, action)
}

/** The page with error messages at the fields and the submitted values. */
function refuse(
  {
    failed = null,
    lastResult = null,
  }: { failed?: Failed | null; lastResult?: RefusedForm | undefined | null },
  status: 400 | 401 | 409 | 422 | 429 | 503,
  wait = 0,
) {
  return data({ failed, lastResult, retryAfterSeconds: wait }, { status, headers: retryAfter(wait) })
}

/** The answer of a form that orders something, with its own status and headers. */
function answered({
  data: { lastResult },
  init,
}: Awaited<ReturnType<typeof placeServiceOrder>>): ActionResponse {
  return data({ failed: null, lastResult, retryAfterSeconds: 0 }, init ?? undefined)
}

function back({ args: { context } }: ActionRequest, done: (typeof tellable)[number]): never {
  throw redirect(`${screenHref(context, pathOf.viewer.success)}?done=${done}`, 303)
}
