import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { emailShownTo, findsByBeginning, mayDo } from "~/domain/operators/operator"
import { allowAddressByForm } from "~/flows/admin/act-on-mail.server"
import { mailQueryIn } from "~/flows/admin/find-mails.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { SuppressedAddressesScreen } from "~/ui/admin/mail/suppressed-addresses-screen.server"
import { sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/suppressed-addresses"

const PATH = "/admin/mail/suppressed"
const LISTED = 100

/** Addresses that get no mail, or no reminders. */
export function loader({ context, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams)
  return addressesPage(context, { sought: url.searchParams.get("address") ?? "", notice, typed: null })
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const typed = { email: textIn(form, "email"), reason: textIn(form, "reason").trim() }
  const outcome = await allowAddressByForm(services, actor, { ...typed, formKey: sentKeyIn(form) })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?${doneQuery("allow-address")}`, 303)
  const notice = problemNotice(outcome, (it) => t(`mail.problems.${it}`))
  return addressesPage(context, { sought: url.searchParams.get("address") ?? "", notice, typed })
}

type Shown = {
  readonly sought: string
  readonly notice: ActionNotice | null
  /** The form that was refused. */
  readonly typed: { readonly email: string; readonly reason: string } | null
}

async function addressesPage(context: RouteContext, { sought, notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { role } = session
  const wholeAddresses = !findsByBeginning(role)
  const { query, invalid } = mailQueryIn((field) => (field === "address" ? sought : ""), { wholeAddresses })
  const found = await services.console.mail.suppressions({ address: query.address, limit: LISTED + 1 })
  return consolePage(
    context,
    { title: t("mail.suppressed"), path: "/admin/mail", notice },
    <SuppressedAddressesScreen
      sought={sought.trim()}
      isInvalid={invalid.length > 0}
      wholeAddresses={wholeAddresses}
      addresses={found.slice(0, LISTED).map((it) => ({ ...it, email: emailShownTo(role, it.email) }))}
      isCut={found.length > LISTED}
      mayAllow={mayDo(role, "allow-address")}
      formKey={newFormKey(services, session)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
