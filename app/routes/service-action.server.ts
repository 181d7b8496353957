import { parseWithZod } from "@conform-to/zod/v4"
import { data, type RouterContextProvider, redirect } from "react-router"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { DeviceForm, NotesForm, ServiceIntent } from "~/domain/forms/service-form"
import { UpsellDraft } from "~/domain/forms/upsell-form"
import { pathOf } from "~/domain/screen-paths"
import type { Service } from "~/domain/service"
import { accessibleService } from "~/flows/services/accessible-services.server"
import {
  noteOnService,
  recreateService,
  restartService,
  type ServiceChange,
  tieToDevice,
} from "~/flows/services/change-service.server"
import { retryAfter } from "~/http/retry-after.server"
import { handlePasswordAction } from "./password-action.server"
import { screenHref } from "./screen-href.server"
import { orderUpsell } from "./upsell-action.server"

type Args = { request: Request; context: Readonly<RouterContextProvider> }
type Intent = (typeof ServiceIntent.options)[number]
type Failed = "device" | "restart" | "recreate"
type FieldErrors = Record<string, string[] | null>

/** Values of the `done` query parameter that the page confirms. */
const tellable = ["device", "notes", "restart", "recreate", "password"] as const

export function doneIn(query: URLSearchParams): (typeof tellable)[number] | null {
  return tellable.find((it) => it === query.get("done")) ?? null
}

/** Handles the forms of the service page. A missing service and one of another customer both answer 404. */
export async function handleServiceAction(form: FormData, args: Args) {
  const { context } = args
  const intent = ServiceIntent.safeParse(form.get("intent"))
  const serviceId = form.get("serviceid")
  const services = context.get(servicesContext)
  const service =
    typeof serviceId === "string"
      ? await accessibleService(services, context.get(sessionContext), serviceId)
      : null
  if (!service || !intent.success) throw data({ kind: "not-found" }, { status: 404 })
  return actionHandlers[intent.data]({ form, args, service, services })
}

type ActionRequest = { form: FormData; args: Args; service: Service; services: LoggedServices }
type ActionResponse = ReturnType<typeof refuse>

const actionHandlers: Record<Intent, (request: ActionRequest) => Promise<ActionResponse>> = {
  async device(request) {
    const submission = parseWithZod(request.form, { schema: DeviceForm })
    if (submission.status !== "success") return refuse(request, { errors: submission.error ?? {} }, 400)
    const change = await tieToDevice(request.services, request.service, submission.value.deviceAddress)
    return changed(request, "device", change)
  },

  async notes(request) {
    const submission = parseWithZod(request.form, { schema: NotesForm })
    if (submission.status !== "success") return refuse(request, { errors: submission.error ?? {} }, 400)
    await noteOnService(request.services, request.service, submission.value.notes)
    return back(request, "notes")
  },

  async restart(request) {
    return changed(request, "restart", await restartService(request.services, request.service))
  },

  async recreate(request) {
    return changed(request, "recreate", await recreateService(request.services, request.service))
  },

  async password(request) {
    const refused = await handlePasswordAction(request.form, request.args.context)
    if (!refused) return back(request, "password")
    return refuse(request, { errors: refused.errors }, refused.status, refused.wait)
  },

  async upsell(request) {
    const { data: actionData, init } = await orderUpsell(request.form, request.args)
    const refused = refuse(request, actionData, 400)
    return data(refused.data, init ?? refused.init ?? undefined)
  },

  async "upsell-update"({ form, args }) {
    const { quantity } = UpsellDraft.parse(Object.fromEntries(form))
    throw redirect(
      `${screenHref(args.context, pathOf.viewer.success)}${quantity ? `?quantity=${quantity}` : ""}`,
      303,
    )
  },
}

/** A service that is not active gets 409, and the page shows and explains its current state. */
function changed(request: ActionRequest, name: Failed, change: ServiceChange): ActionResponse {
  if (change === "not-answered") return refuse(request, { failed: name }, 503)
  if (change === "not-active") return refuse(request, {}, 409)
  return back(request, name)
}

/** The page with error messages at the fields and the submitted values. */
function refuse(
  { form }: ActionRequest,
  wrong: { errors?: FieldErrors; failed?: Failed },
  status: 400 | 409 | 422 | 429 | 503,
  wait = 0,
) {
  const typed = { device: textOf(form, "deviceAddress"), notes: textOf(form, "notes") }
  const { quantity = null } = UpsellDraft.parse(Object.fromEntries(form))
  const actionData = { errors: wrong.errors ?? {}, failed: wrong.failed ?? null, typed, quantity }
  return data(actionData, { status, headers: retryAfter(wait) })
}

function back({ args: { context } }: ActionRequest, done: (typeof tellable)[number]): never {
  throw redirect(`${screenHref(context, pathOf.viewer.success)}?done=${done}`, 303)
}

function textOf(form: FormData, name: string): string | null {
  const value = form.get(name)
  return typeof value === "string" ? value : null
}
