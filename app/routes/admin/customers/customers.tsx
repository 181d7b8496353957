import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { emailShownTo, findsByBeginning, mayDo, type OperatorRole } from "~/domain/operators/operator"
import {
  type FindCustomersServices,
  listCustomers,
  searchCustomers,
} from "~/flows/admin/customers/find-customers.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CustomersScreen } from "~/ui/admin/customers/customers-screen.server"
import { proofAsked } from "../action-notice.server"
import { linksOfList, placeOfList } from "../list-address.server"
import type { Route } from "./+types/customers"

const PATH = "/admin/customers"
const PER_PAGE = 25

/** Customers by search, or all in pages. One that is found alone is shown at once. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const sought = (url.searchParams.get("q") ?? "").trim()
  const finder = { customers: services.console.customers, now: services.console.machineNow }
  const { customers, links, cut } =
    sought === "" ? await allCustomers(finder, url) : await namedCustomers(finder, sought, session.role)
  const [only] = customers
  if (sought !== "" && only && customers.length === 1)
    return redirect(`${PATH}/${encodeURIComponent(only.id)}`, 303)
  return consolePage(
    context,
    { title: t("customers.title"), path: PATH },
    <CustomersScreen
      sought={sought}
      wholeEmails={!findsByBeginning(session.role)}
      customers={customers.map((it) => ({ ...it, email: emailShownTo(session.role, it.email) }))}
      links={links}
      cut={cut}
      timeZone={services.shop.timeZone}
      exportForm={
        sought === "" && mayDo(session.role, "export-customers")
          ? { formKey: newFormKey(services, session), ...proofAsked(context, null) }
          : null
      }
    />,
  )
}

async function allCustomers(finder: FindCustomersServices, url: URL) {
  const { rows, ...page } = await listCustomers(finder, { size: PER_PAGE, ...placeOfList(url) })
  const links = linksOfList({ url, path: PATH, fields: [] }, page)
  return { customers: rows, links, cut: page.isCut ? ("cut" as const) : null }
}

async function namedCustomers(finder: FindCustomersServices, text: string, role: OperatorRole) {
  const search = { limit: PER_PAGE, wholeEmails: !findsByBeginning(role) }
  const { customers, isCut } = await searchCustomers(finder, text, search)
  const links = { older: null, newer: null, newest: null }
  return { customers, links, cut: isCut ? ("many" as const) : null }
}
