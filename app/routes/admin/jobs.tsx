import { consoleRequest } from "~/context/console.server"
import { bulkOffers } from "~/flows/admin/bulk/start-bulk.server"
import { findFailedJobs, jobFilterFields, jobQueryIn } from "~/flows/admin/find-jobs.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { JobsScreen } from "~/ui/admin/jobs-screen.server"
import type { Route } from "./+types/jobs"
import { linksOfList, placeOfList } from "./list-address.server"

const PATH = "/admin/jobs"
const PER_PAGE = 50

/** Jobs that have failed, by filter, in pages: each leads to its order, where it is retried or discarded. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { state, about, filter } = jobQueryIn((field) => url.searchParams.get(field) ?? "")
  const finder = { orders: services.console.orders, now: services.console.machineNow }
  const { rows, ...page } = await findFailedJobs(finder, filter, { size: PER_PAGE, ...placeOfList(url) })
  return consolePage(
    context,
    { title: t("jobs.title"), path: PATH },
    <JobsScreen
      typed={{ state: state ?? "", about: about ?? "" }}
      jobs={rows}
      links={linksOfList({ url, path: PATH, fields: jobFilterFields }, page)}
      isCut={page.isCut}
      timeZone={services.shop.timeZone}
      bulk={bulkOffers(services, session)}
    />,
  )
}
