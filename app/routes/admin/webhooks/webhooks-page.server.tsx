import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { endpointsShownTo } from "~/flows/admin/manage-webhooks.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { TypedEndpoint } from "~/ui/admin/webhooks/webhook-fields.server"
import { WebhooksScreen } from "~/ui/admin/webhooks/webhooks-screen.server"
import { proofAsked } from "../action-notice.server"

const PATH = "/admin/webhooks"

type Shown = { readonly notice: ActionNotice | null; readonly typed: TypedEndpoint | null }

/** The endpoints, and the form that adds one. `typed`: what it is filled in with; null: nothing. */
export async function webhooksPage(context: RouteContext, { notice, typed }: Shown): Promise<Response> {
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
