import { type RouterContextProvider, redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { BASE } from "~/domain/base-path"
import { isGatewayId } from "~/domain/gateway-id"
import { mayDo } from "~/domain/operator"
import {
  actOnGateway,
  type GatewayForm,
  gatewayActions,
  isGatewayAction,
} from "~/flows/admin/drain-gateway.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { gatewayStates } from "~/flows/admin/gateway-states.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { GatewayScreen } from "~/ui/admin/gateway-screen.server"
import type { Route } from "./+types/gateway"
import { noticeOf } from "./action-notice.server"
import { textIn } from "./form-text.server"

type Context = Readonly<RouterContextProvider>

/** A gateway, and whether new orders may use it. */
export function loader({ context, params, url }: Route.LoaderArgs) {
  const notice = url.searchParams.has("done") ? ({ kind: "good", text: t("action.done") } as const) : null
  return gatewayPage(context, params.gateway, { notice, typed: null })
}

export async function action({ request, context, params: { gateway } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  if (!isGatewayId(gateway)) throw new Response(null, { status: 404 })
  const form = formIn(await formOf(request))
  const address = `/admin/gateways/${gateway}`
  if (!form) return redirect(address, 303)
  const outcome = await actOnGateway(services, actor, { gateway, form })
  if (outcome.kind === "done" || outcome.kind === "repeated") return redirect(`${address}?done`, 303)
  const notice: ActionNotice | null =
    outcome.kind === "problem"
      ? { kind: "bad", text: t(`gateways.problems.${outcome.problem}`) }
      : noticeOf(outcome)
  return gatewayPage(context, gateway, { notice, typed: form })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): GatewayForm | null {
  const action = textIn(form, "action")
  if (!isGatewayAction(action)) return null
  return { action, reason: textIn(form, "reason").trim(), formKey: textIn(form, "key") }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: GatewayForm | null }

async function gatewayPage(context: Context, id: string, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const state = (await gatewayStates(services)).find((it) => it.id === id)
  if (!state) throw new Response(null, { status: 404 })
  const next = state.drainedSince === null ? "drain-gateway" : "offer-gateway"
  return consolePage(
    context,
    { title: state.id, path: "/admin", status: notice?.kind === "bad" ? 422 : 200 },
    <GatewayScreen
      gateway={state}
      hosts={services.gateways.get(state.id)?.origins ?? []}
      callbackAddress={`${services.shop.publicUrl}${BASE}/api/payments/${state.id}/callback`}
      action={gatewayActions.find((it) => it === next && state.isEnabled && mayDo(session.role, it)) ?? null}
      newKey={() => newFormKey(services, session)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
