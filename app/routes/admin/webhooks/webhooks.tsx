import type { RouterContextProvider } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { mayDo } from "~/domain/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  addEndpointByForm,
  endpointsShownTo,
  type NewEndpointForm,
} from "~/flows/admin/manage-webhooks.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { TypedEndpoint } from "~/ui/admin/webhooks/webhook-fields.server"
import { WebhookSecretScreen } from "~/ui/admin/webhooks/webhook-secret-screen.server"
import { WebhooksScreen } from "~/ui/admin/webhooks/webhooks-screen.server"
import { actionFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/webhooks"
import { typesIn, webhookProblemText } from "./webhook-form.server"

type Context = Readonly<RouterContextProvider>

const PATH = "/admin/webhooks"

/** The endpoints that get events, and a form to add one. */
export function loader({ context, url }: Route.LoaderArgs) {
  const isRemoved = url.searchParams.has("removed")
  const notice = isRemoved ? ({ kind: "good", text: t("webhooks.removed") } as const) : null
  return webhooksPage(context, { notice, typed: null })
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  const outcome = await addEndpointByForm(services, actor, form)
  // The secret is shown in the answer to the form, since it is stored encrypted.
  if (outcome.kind === "done") {
    const view = { shown: outcome.value, timeZone: services.shop.timeZone }
    return consolePage(
      context,
      { title: t("webhooks.secretTitle"), path: PATH },
      <WebhookSecretScreen {...view} />,
    )
  }
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const notice = problemNotice(outcome, webhookProblemText)
  return webhooksPage(context, { notice, typed: form })
}

function formIn(form: FormData): NewEndpointForm {
  return {
    url: textIn(form, "url"),
    types: typesIn(form),
    description: textIn(form, "description"),
    ...actionFormIn(form),
  }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: TypedEndpoint | null }

async function webhooksPage(context: Context, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  return consolePage(
    context,
    { title: t("webhooks.title"), path: PATH, notice },
    <WebhooksScreen
      endpoints={await endpointsShownTo(services, session.role)}
      mayAdd={mayDo(session.role, "add-webhook")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
