import { redirect } from "react-router"
import type { MailListed } from "~/billing/orders/order-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { emailShownTo, mayDo } from "~/domain/operators/operator"
import { resendByForm, seenOfMail } from "~/flows/admin/act-on-mail.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { MailScreen } from "~/ui/admin/mail/mail-screen.server"
import { sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/mail"

const PATH = "/admin/mail"

/** A message: what became of it, and sending it again. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams)
  return mailPage(context, await mailOf(context, params.id), { notice, reason: null })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const mail = await mailOf(context, params.id)
  const form = await formOf(request)
  const address = `${PATH}/${encodeURIComponent(mail.id)}`
  if (textIn(form, "action") !== "resend-mail") return redirect(address, 303)
  const reason = textIn(form, "reason").trim()
  const asked = { reason, formKey: sentKeyIn(form), seen: textIn(form, "seen") }
  const outcome = await resendByForm(services, actor, { mail, form: asked })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery("resend-mail")}`, 303)
  const notice = problemNotice(outcome, (it) => t(`mail.problems.${it}`))
  return mailPage(context, mail, { notice, reason })
}

/** Throws 404 for an unknown message. */
async function mailOf(context: RouteContext, id: string): Promise<MailListed> {
  const mail = await consoleRequest(context).services.console.mail.mail(id)
  if (!mail) throw new Response(null, { status: 404 })
  return mail
}

/** `reason`: of the form that was refused. */
type Shown = { readonly notice: ActionNotice | null; readonly reason: string | null }

async function mailPage(
  context: RouteContext,
  mail: MailListed,
  { notice, reason }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { role } = session
  return consolePage(
    context,
    { title: t(`mail.names.${mail.name}`), path: PATH, notice },
    <MailScreen
      mail={{ ...mail, email: mail.email && emailShownTo(role, mail.email) }}
      mayResend={services.mailer !== null && mayDo(role, "resend-mail")}
      formKey={newFormKey(services, session)}
      seen={seenOfMail(mail)}
      notice={notice}
      refused={reason === null ? null : { reason }}
      timeZone={services.shop.timeZone}
    />,
  )
}
