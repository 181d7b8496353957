import { consoleRequest } from "~/context/console.server"
import { emailShownTo, mayDo } from "~/domain/operators/operator"
import { bulkOffers } from "~/flows/admin/bulk/start-bulk.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import {
  findServices,
  serviceFilterFields,
  serviceQueryIn,
} from "~/flows/admin/services/find-services.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ServicesScreen } from "~/ui/admin/services/services-screen.server"
import { linksOfList, placeOfList } from "../list-address.server"
import type { Route } from "./+types/services"

const PATH = "/admin/services"
const PER_PAGE = 25

/** Services by filter, in pages. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { console, catalogue, shop } = services
  const text = (name: string) => url.searchParams.get(name) ?? ""
  const { filter, invalid } = serviceQueryIn(text, { timeZone: shop.timeZone, now: services.now() })
  const finder = { services: console.services, now: console.machineNow }
  const [{ rows, ...page }, plans, resellerPlans] = await Promise.all([
    findServices(finder, filter, { size: PER_PAGE, ...placeOfList(url) }),
    catalogue.plans(),
    catalogue.resellerPlans(),
  ])
  const exportForm = {
    formKey: newFormKey(services, session),
    isProven: isProven(session, services.now()),
    problem: null,
  }
  return consolePage(
    context,
    { title: t("services.title"), path: PATH },
    <ServicesScreen
      typed={{
        status: filter.status ?? "",
        product: text("product"),
        endsFrom: text("endsFrom"),
        endsBefore: text("endsBefore"),
        late: text("late"),
      }}
      services={rows.map((it) => ({ ...it, email: emailShownTo(session.role, it.email) }))}
      products={[...plans, ...resellerPlans].map(({ id, name }) => ({ id, name }))}
      links={linksOfList({ url, path: PATH, fields: serviceFilterFields }, page)}
      isCut={page.isCut}
      invalid={invalid.map((field) => t(`services.${field}`))}
      timeZone={shop.timeZone}
      bulk={bulkOffers(services, session)}
      exportForm={mayDo(session.role, "export-services") ? exportForm : null}
    />,
  )
}
