import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { ConsoleServices } from "~/context/services.server"
import { localText } from "~/domain/local-time"
import { mayDo } from "~/domain/operators/operator"
import { gatewayCallbackUrl } from "~/domain/payments/gateway-callback-url"
import { type GatewayId, isGatewayId } from "~/domain/payments/gateway-id"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  actOnGateway,
  type GatewayForm,
  gatewayActions,
  isGatewayAction,
} from "~/flows/admin/payments/drain-gateway.server"
import { examineGateway, gatewayDiagnostics } from "~/flows/admin/payments/examine-gateway.server"
import { gatewayStates } from "~/flows/admin/payments/gateway-states.server"
import { lastCallbackTest, testCallback } from "~/flows/admin/payments/test-callback.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { gatewayName } from "~/ui/admin/gateway-name.server"
import { GatewayScreen } from "~/ui/admin/payments/gateway-screen.server"
import { sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/gateway"

/** A gateway, and whether new orders may use it. */
export function loader({ context, params, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams, gatewayName(params.gateway))
  return gatewayPage(context, params.gateway, { notice, typed: null, isAsked: url.searchParams.has("check") })
}

export async function action({ request, context, params: { gateway } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  if (!isGatewayId(gateway)) throw new Response(null, { status: 404 })
  const form = formIn(await formOf(request))
  const address = `/admin/gateways/${gateway}`
  if (!form) return redirect(address, 303)
  const outcome = await outcomeOf({ services, actor }, gateway, form)
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery(form.action)}`, 303)
  const notice = problemNotice(outcome, (it) => t(`gateways.problems.${it}`))
  return gatewayPage(context, gateway, { notice, typed: form, isAsked: false })
}

type Posted = Omit<GatewayForm, "action"> & { readonly action: GatewayForm["action"] | "test-callback" }

function outcomeOf(
  { services, actor }: Pick<ReturnType<typeof consoleRequest>, "services" | "actor">,
  id: GatewayId,
  { action, ...form }: Posted,
) {
  if (action !== "test-callback")
    return actOnGateway(services, actor, { gateway: id, form: { action, ...form } })
  const gateway = services.gateways.get(id)
  if (!gateway) throw new Response(null, { status: 404 })
  return testCallback(services, actor, { gateway, ...form })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): Posted | null {
  const action = textIn(form, "action")
  if (!isGatewayAction(action) && action !== "test-callback") return null
  return { action, reason: textIn(form, "reason").trim(), formKey: sentKeyIn(form) }
}

/** `isAsked`: the gateway is asked now. */
type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: Posted | null
  readonly isAsked: boolean
}

async function gatewayPage(
  context: RouteContext,
  id: string,
  { notice, typed, isAsked }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const state = (await gatewayStates(services)).find((it) => it.id === id)
  if (!state) throw new Response(null, { status: 404 })
  const tested = await lastCallbackTest(services.console.auditLog, state.id)
  const next = state.drainedSince === null ? "drain-gateway" : "offer-gateway"
  return consolePage(
    context,
    { title: gatewayName(state.id), path: "/admin/gateways", notice },
    <GatewayScreen
      gateway={state}
      hosts={services.gateways.get(state.id)?.origins ?? []}
      callbackAddress={gatewayCallbackUrl(services.shop.publicUrl, state.id)}
      tested={tested}
      findings={isAsked ? await findingsOf(services, state.id) : null}
      mayTest={mayDo(session.role, "test-callback")}
      action={gatewayActions.find((it) => it === next && state.isEnabled && mayDo(session.role, it)) ?? null}
      newKey={() => newFormKey(services, session)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}

async function findingsOf({ console, gateways, shop, now }: ConsoleServices, id: GatewayId) {
  const gateway = gateways.get(id)
  if (!gateway) return null
  const examined = await examineGateway(console.overview, gateway, now())
  return gatewayDiagnostics(examined, (at) => localText(at, shop.timeZone))
}
