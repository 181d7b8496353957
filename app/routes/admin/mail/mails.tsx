import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { emailShownTo, findsByBeginning, mayDo } from "~/domain/operators/operator"
import { findMails, mailFilterFields, mailQueryIn } from "~/flows/admin/find-mails.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { answerIn, type TestMailOutcome, testMailByForm } from "~/flows/admin/send-test-mail.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { MailsScreen } from "~/ui/admin/mail/mails-screen.server"
import { sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { linksOfList, placeOfList } from "../list-address.server"
import type { Route } from "./+types/mails"

const PATH = "/admin/mail"
const PER_PAGE = 50

/** Messages by state and address, in pages. */
export function loader({ context, url }: Route.LoaderArgs) {
  const isTested = url.searchParams.has("tested")
  const notice = isTested ? ({ kind: "good", text: t("mail.testAccepted") } as const) : null
  return mailsPage(context, url, { notice, typed: null })
}

/** Sends a test message. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const typed = { email: textIn(form, "email").trim(), reason: textIn(form, "reason").trim() }
  const outcome = await testMailByForm(services, actor, { ...typed, formKey: sentKeyIn(form) })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done" && outcome.value.kind === "sent") return redirect(`${PATH}?tested`, 303)
  return mailsPage(context, url, { notice: noticeFor(outcome), typed })
}

function noticeFor(outcome: Exclude<TestMailOutcome, { kind: "repeated" }>): ActionNotice | null {
  if (outcome.kind === "done")
    return { kind: "bad", text: t("mail.testNotSent", { answer: answerIn(outcome.value) }) }
  return problemNotice(outcome, (it) => t(`mail.problems.${it}`))
}

type Shown = {
  readonly notice: ActionNotice | null
  /** The form of a test message that was refused. */
  readonly typed: { readonly email: string; readonly reason: string } | null
}

async function mailsPage(context: RouteContext, url: URL, { notice, typed }: Shown) {
  const { services, session } = consoleRequest(context)
  const { role } = session
  const wholeAddresses = !findsByBeginning(role)
  const {
    query,
    typed: filter,
    invalid,
  } = mailQueryIn((field) => url.searchParams.get(field) ?? "", { wholeAddresses })
  const finder = { mail: services.console.mail, now: services.console.machineNow }
  const { rows, ...page } = await findMails(finder, query, { size: PER_PAGE, ...placeOfList(url) })
  const isSending = services.mailer !== null
  return consolePage(
    context,
    { title: t("mail.title"), path: PATH, notice },
    <MailsScreen
      typed={filter}
      invalid={invalid.map((it) => t(`mail.${it}`))}
      wholeAddresses={wholeAddresses}
      mails={rows.map((it) => ({ ...it, email: it.email && emailShownTo(role, it.email) }))}
      links={linksOfList({ url, path: PATH, fields: mailFilterFields }, page)}
      isSending={isSending}
      notice={notice}
      test={
        isSending && mayDo(role, "send-test-mail")
          ? { email: typed?.email ?? session.email, formKey: newFormKey(services, session), refused: typed }
          : null
      }
      timeZone={services.shop.timeZone}
    />,
  )
}
