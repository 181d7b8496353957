import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo, needsProof } from "~/domain/operators/operator"
import { isServiceAction, serviceActions } from "~/domain/services/service-actions"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  actOnService,
  type Credentials,
  type ServiceForm,
  type ServiceOutcome,
  uncoverCredentials,
} from "~/flows/admin/services/act-on-service.server"
import {
  actionsOnService,
  type ServiceView,
  seenOfService,
  serviceView,
} from "~/flows/admin/services/service-page.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { ServiceScreen, type TypedServiceForm } from "~/ui/admin/services/service-screen.server"
import { changeFormIn, proofIn, sentKeyIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/service"

const nothing = { notice: null, typed: null, credentials: null } as const

/** A service with its timeline, and what its state allows. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const view = await serviceView(services, params.number, session.role)
  if (!view) throw new Response(null, { status: 404 })
  return servicePage(context, view, { ...nothing, notice: doneNotice(url.searchParams, view.service.name) })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  if (textIn(form, "action") === "show-credentials") return uncovered(context, params.number, form)
  const typed = serviceFormIn(form)
  const address = `/admin/services/${encodeURIComponent(params.number)}`
  if (!typed) return redirect(address, 303)
  const outcome = await actOnService(services, actor, { number: params.number, form: typed })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery(typed.action, numberIn(typed))}`, 303)
  const view = await viewOr404(context, params.number)
  return servicePage(context, view, { ...nothing, notice: noticeFor(outcome), typed })
}

/** The number that was typed in a form which was done. */
function numberIn({ action, days, connections }: ServiceForm) {
  if (action === "extend-service") return { count: Number(days) }
  return action === "set-connections" ? { count: Number(connections) } : {}
}

async function uncovered(context: RouteContext, number: string, form: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const reason = textIn(form, "reason").trim()
  const asked = { number, reason, formKey: sentKeyIn(form), proof: proofIn(form) }
  const outcome = await uncoverCredentials(services, actor, asked)
  const view = await viewOr404(context, number)
  if (outcome.kind === "done") return servicePage(context, view, { ...nothing, credentials: outcome.value })
  if (outcome.kind === "repeated") return sentBefore(`/admin/services/${encodeURIComponent(number)}`)
  const typed = { action: "show-credentials", reason }
  return servicePage(context, view, { ...nothing, notice: noticeFor(outcome), typed })
}

async function viewOr404(context: RouteContext, number: string): Promise<ServiceView> {
  const { services, session } = consoleRequest(context)
  const view = await serviceView(services, number, session.role)
  if (!view) throw new Response(null, { status: 404 })
  return view
}

type Undone = Exclude<ServiceOutcome, { kind: "done" | "repeated" }>

function noticeFor(outcome: Undone): ActionNotice | null {
  if (outcome.kind === "no-such-service") return null
  return problemNotice(outcome, (it) => t(`service.problems.${it}`))
}

/** Null for a form that no page of ours has. */
function serviceFormIn(form: FormData): ServiceForm | null {
  const action = textIn(form, "action")
  if (!isServiceAction(action)) return null
  return {
    action,
    ...changeFormIn(form),
    days: textIn(form, "days"),
    device: textIn(form, "device"),
    connections: textIn(form, "connections"),
    price: textIn(form, "price"),
    from: textIn(form, "from"),
  }
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: TypedServiceForm | null
  readonly credentials: Credentials | null
}

function servicePage(
  context: RouteContext,
  view: ServiceView,
  { notice, typed, credentials }: Shown,
): Response {
  const { services, session } = consoleRequest(context)
  const { hasExternalBilling } = services
  return consolePage(
    context,
    {
      title: t("service.title", { name: view.service.name }),
      path: "/admin/services",
      notice,
    },
    <ServiceScreen
      view={view}
      actions={actionsOnService(view, session.role, { hasExternalBilling })}
      provenActions={serviceActions.filter(needsProof)}
      isElsewhere={hasExternalBilling}
      mayUncover={mayDo(session.role, "show-credentials")}
      credentials={credentials}
      seen={seenOfService(view)}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
