import { data, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { LineExtensionForm, LineForm } from "~/domain/forms/reseller-form"
import { pathOf } from "~/domain/orders/screen-paths"
import { cancelLine, extendLines } from "~/flows/resellers/change-lines.server"
import { createLine } from "~/flows/resellers/create-line.server"
import { accessibleService, accessibleServices } from "~/flows/services/accessible-services.server"
import { limitFreeAction } from "~/flows/services/limit-free-actions.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { screenHref } from "../screen-href.server"
import {
  afterExtension,
  afterLineChange,
  afterNewLine,
  type LineChange,
  refusedLineChange,
} from "./line-view.server"

type Args = { request: Request; context: RouteContext }

/** Creates a line for a reseller's customer. A service of another account answers 404. */
export async function handleLineAction(form: FormData, { request, context }: Args) {
  const submission = submitted(form, LineForm)
  if (submission.status !== "success")
    return data({ lastResult: refused(submission), refusal: null }, { status: 400 })
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const { serviceid, ...input } = submission.value
  const { customer, service } = await ownResellerService(context, serviceid)
  const { address } = context.get(requestContext)
  const line = await createLine(services, {
    ...input,
    customer,
    service,
    locale: context.get(localeContext).code,
    address,
    country: await services.countryOf({ address, headers: request.headers }),
    browser: session.visitor,
  })
  if (line.kind !== "made") {
    const status = line.kind === "held" ? 403 : 422
    return data(
      { lastResult: refused(submission, { formErrors: [`resellers.line.${line.kind}`] }), refusal: null },
      { status },
    )
  }
  throw redirect(`${screenHref(context, pathOf.reseller.success)}${afterNewLine(line.serviceId)}`, 303)
}

/** Extends the selected lines, for a credit each. A line of another account answers 404. */
export async function handleLineExtension(form: FormData, { request, context }: Args) {
  const submission = submitted(form, LineExtensionForm)
  if (submission.status !== "success")
    return data({ lastResult: null, refusal: refusedLineChange(context, "extend") }, { status: 400 })
  const { key, serviceid, line: lineIds } = submission.value
  const services = context.get(servicesContext)
  const { customer, service } = await ownResellerService(context, serviceid)
  const accessible = await accessibleServices(services, context.get(sessionContext))
  const known = new Set(accessible.map(({ id }) => id))
  if (!lineIds.every((id) => known.has(id))) throw data({ kind: "not-found" }, { status: 404 })
  const { address } = context.get(requestContext)
  const extended = await extendLines(services, {
    customer,
    service,
    lineIds,
    // The same form with other lines, as after Back, is another order.
    key: services.signer.sign(`extend ${JSON.stringify([key, lineIds.toSorted()])}`),
    locale: context.get(localeContext).code,
    address,
    country: await services.countryOf({ address, headers: request.headers }),
    browser: context.get(sessionContext).visitor,
  })
  if (extended.kind === "held")
    return data({ lastResult: null, refusal: refusedLineChange(context, "held") }, { status: 403 })
  if (extended.kind === "refused")
    return data({ lastResult: null, refusal: refusedLineChange(context, "extend") }, { status: 422 })
  throw redirect(
    `${screenHref(context, pathOf.reseller.success)}${afterExtension(new URL(request.url), extended.orderId)}`,
    303,
  )
}

/** Cancels an unused line for its credit. A line of another account answers 404. */
export async function handleLineCancellation(form: FormData, { request, context }: Args) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const line = await accessibleService(services, session, String(form.get("cancel")))
  if (!line || session.customer?.id !== line.customerId) throw data({ kind: "not-found" }, { status: 404 })
  const allowed = await limitFreeAction(services, {
    limit: "line-cancellation",
    customerId: line.customerId,
  })
  if (!allowed.ok)
    return data(
      { lastResult: null, refusal: refusedLineChange(context, "too-many") },
      { status: 429, headers: retryAfter(allowed.retryAfterSeconds) },
    )
  const cancelled = await cancelLine(services, { customer: session.customer, lineId: line.id })
  if (cancelled) throw redirect(placeAfter(context, request, doneBy[cancelled]), 303)
  return data({ lastResult: null, refusal: refusedLineChange(context, "cancel") }, { status: 422 })
}

const doneBy = { returned: "cancelled", owed: "cancelled-owed" } as const

function placeAfter(context: Args["context"], request: Request, done: LineChange): string {
  return `${screenHref(context, pathOf.reseller.success)}${afterLineChange(new URL(request.url), done)}`
}

async function ownResellerService(context: Args["context"], serviceId: string) {
  const session = context.get(sessionContext)
  const service = await accessibleService(context.get(servicesContext), session, serviceId)
  const { customer } = session
  if (service?.kind !== "reseller" || customer?.id !== service.customerId) {
    throw data({ kind: "not-found" }, { status: 404 })
  }
  return { customer, service }
}
