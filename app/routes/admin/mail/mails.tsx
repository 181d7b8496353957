import { consoleRequest } from "~/context/console.server"
import { emailShownTo, findsByBeginning } from "~/domain/operator"
import { findMails, mailFilterFields, mailQueryIn } from "~/flows/admin/find-mails.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { MailsScreen } from "~/ui/admin/mails-screen.server"
import { linksOfList, placeOfList } from "../list-address.server"
import type { Route } from "./+types/mails"

const PATH = "/admin/mail"
const PER_PAGE = 50

/** Messages by state and address, in pages. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { role } = session
  const wholeAddresses = !findsByBeginning(role)
  const { query, typed, invalid } = mailQueryIn((field) => url.searchParams.get(field) ?? "", {
    wholeAddresses,
  })
  const finder = { mail: services.console.mail, now: () => Date.now() }
  const { rows, ...page } = await findMails(finder, query, { size: PER_PAGE, ...placeOfList(url) })
  return consolePage(
    context,
    { title: t("mail.title"), path: PATH },
    <MailsScreen
      typed={typed}
      invalid={invalid.map((it) => t(`mail.${it}`))}
      wholeAddresses={wholeAddresses}
      mails={rows.map((it) => ({ ...it, email: it.email && emailShownTo(role, it.email) }))}
      links={linksOfList({ url, path: PATH, fields: mailFilterFields }, page)}
      isSending={services.mailer !== null}
      timeZone={services.shop.timeZone}
    />,
  )
}
