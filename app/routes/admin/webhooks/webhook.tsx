import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { needsProof } from "~/domain/operators/operator"
import { deliveryStates, type WebhookDeliveryState } from "~/domain/webhooks/delivery"
import { endpointActions, endpointActionsFor, isEndpointAction } from "~/domain/webhooks/endpoint-actions"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  actOnEndpoint,
  type EndpointForm,
  type EndpointResult,
  endpointShownTo,
} from "~/flows/admin/manage-webhooks.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { WebhookScreen } from "~/ui/admin/webhooks/webhook-screen.server"
import { WebhookSecretScreen } from "~/ui/admin/webhooks/webhook-secret-screen.server"
import { WebhookTestScreen } from "~/ui/admin/webhooks/webhook-test-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/webhook"
import { typesIn, webhookProblemText } from "./webhook-form.server"
import { webhooksPage } from "./webhooks-page.server"

const PATH = "/admin/webhooks"
const PER_PAGE = 20

/** An endpoint: its state, what was sent to it, and what an operator may do with it. */
export function loader({ context, params, url }: Route.LoaderArgs) {
  return webhookPage(context, params.id, { notice: goodNotice(url), typed: null, page: pageIn(url) })
}

function goodNotice({ searchParams }: URL): ActionNotice | null {
  const due = searchParams.get("due")
  if (due !== null && /^\d{1,9}$/.test(due))
    return { kind: "good", text: t("webhooks.due", { count: Number(due) }) }
  return doneNotice(searchParams)
}

export async function action({ request, context, params: { id }, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  const address = `${PATH}/${encodeURIComponent(id)}`
  if (!form) return redirect(address, 303)
  const outcome = await actOnEndpoint(services, actor, { id, form })
  if (outcome.kind === "no-such-endpoint") return goneEndpoint(context, form)
  if (outcome.kind === "repeated") return sentBefore(form.action === "remove-webhook" ? PATH : address)
  if (outcome.kind === "done") return answerOf(context, id, outcome.value)
  const notice = problemNotice(outcome, webhookProblemText)
  return webhookPage(context, id, { notice, typed: form, page: pageIn(url) })
}

/** The endpoint was removed since its form was opened: what was typed is offered as a new one. */
async function goneEndpoint(context: RouteContext, form: EndpointForm): Promise<Response> {
  if (form.action !== "edit-webhook") return redirect(`${PATH}?gone`, 303)
  return webhooksPage(context, { notice: { kind: "bad", text: t("webhooks.goneEdited") }, typed: form })
}

/** What is shown once, or was written by the receiver, is in the answer to the form and in no address. */
function answerOf(context: RouteContext, id: string, result: EndpointResult): Response {
  const address = `${PATH}/${encodeURIComponent(id)}`
  const { services } = consoleRequest(context)
  switch (result.kind) {
    case "changed":
      return redirect(`${address}?${doneQuery(result.by)}`, 303)
    case "removed":
      return redirect(`${PATH}?removed`, 303)
    case "due":
      return redirect(`${address}?due=${result.count}`, 303)
    case "secret":
      return consolePage(
        context,
        { title: t("webhooks.secretTitle"), path: PATH },
        <WebhookSecretScreen shown={result.shown} timeZone={services.shop.timeZone} />,
      )
    case "tested":
      return consolePage(
        context,
        { title: t("webhooks.testTitle"), path: PATH },
        <WebhookTestScreen id={id} result={result.result} />,
      )
  }
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): EndpointForm | null {
  const action = textIn(form, "action")
  if (!isEndpointAction(action)) return null
  return {
    action,
    url: textIn(form, "url"),
    types: typesIn(form),
    description: textIn(form, "description"),
    event: textIn(form, "event").trim(),
    from: textIn(form, "from"),
    until: textIn(form, "until"),
    ...changeFormIn(form),
  }
}

type LogPage = { readonly state: WebhookDeliveryState | null; readonly before: number | undefined }

function pageIn({ searchParams }: URL): LogPage {
  const state = deliveryStates.find((it) => it === searchParams.get("state")) ?? null
  const before = Number(searchParams.get("before") ?? Number.NaN)
  return { state, before: Number.isSafeInteger(before) ? before : undefined }
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: EndpointForm | null
  readonly page: LogPage
}

async function webhookPage(
  context: RouteContext,
  id: string,
  { notice, typed, page }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { role } = session
  const endpoint = await endpointShownTo(services, role, id)
  if (!endpoint) throw new Response(null, { status: 404 })
  const found = await services.webhooks.deliveries(id, { ...page, limit: PER_PAGE + 1 })
  const deliveries = found.slice(0, PER_PAGE)
  const older = found.length > PER_PAGE ? (deliveries.at(-1)?.position ?? null) : null
  return consolePage(
    context,
    { title: t("webhooks.endpoint"), path: PATH, notice },
    <WebhookScreen
      endpoint={endpoint}
      log={{ deliveries, state: page.state, older, isNewest: page.before === undefined }}
      seesResponses={role !== "viewer"}
      actions={endpointActionsFor(role, endpoint)}
      provenActions={endpointActions.filter(needsProof)}
      seen={endpoint.seen}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
