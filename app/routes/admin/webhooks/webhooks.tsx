import { consoleRequest } from "~/context/console.server"
import { addEndpointByForm, type NewEndpointForm } from "~/flows/admin/manage-webhooks.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { WebhookSecretScreen } from "~/ui/admin/webhooks/webhook-secret-screen.server"
import { actionFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/webhooks"
import { typesIn, webhookProblemText } from "./webhook-form.server"
import { webhooksPage } from "./webhooks-page.server"

const PATH = "/admin/webhooks"

/** The endpoints that get events, and a form to add one. */
export function loader({ context, url }: Route.LoaderArgs) {
  return webhooksPage(context, { notice: noticeIn(url), typed: null })
}

function noticeIn({ searchParams }: URL): ActionNotice | null {
  if (searchParams.has("gone")) return { kind: "warning", text: t("webhooks.gone") }
  return searchParams.has("removed") ? { kind: "good", text: t("webhooks.removed") } : null
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
