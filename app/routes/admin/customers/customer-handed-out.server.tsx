import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { needsProof } from "~/domain/operators/operator"
import type { CustomerOutcome } from "~/flows/admin/customers/act-on-customer.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { HandedOutScreen } from "~/ui/admin/customers/customer-screen.server"
import { customerNotice, proofAsked } from "../action-notice.server"

type Refused = {
  readonly action: "export-customer" | "view-as-customer"
  readonly asked: { readonly id: string; readonly reason: string; readonly seen: string }
  readonly outcome: Exclude<CustomerOutcome<unknown>, { kind: "done" | "repeated" }>
}

/** The form again, with why it was refused. */
export function handedOutPage(context: RouteContext, { action, asked, outcome }: Refused): Response {
  if (outcome.kind === "no-such-customer") throw new Response(null, { status: 404 })
  const { services, session } = consoleRequest(context)
  const notice = customerNotice(outcome)
  return consolePage(
    context,
    { title: t(`customer.action.${action}.name`), path: "/admin/customers", status: 422 },
    <HandedOutScreen
      action={action}
      customerId={asked.id}
      needsProof={needsProof(action)}
      reason={asked.reason}
      seen={asked.seen}
      notice={notice}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
    />,
  )
}
