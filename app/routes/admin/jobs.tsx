import { consoleRequest } from "~/context/console.server"
import { findFailedJobs, jobQueryIn } from "~/flows/admin/find-jobs.server"
import { bulkOffers } from "~/flows/admin/start-bulk.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { JobsScreen } from "~/ui/admin/jobs-screen.server"
import type { Route } from "./+types/jobs"

/** More are counted, not listed. */
const LISTED = 200

/** Jobs that have failed, by filter: each leads to its order, where it is retried or discarded. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { state, about, filter } = jobQueryIn((field) => url.searchParams.get(field) ?? "")
  const jobs = await findFailedJobs(services.console, filter)
  return consolePage(
    context,
    { title: t("jobs.title"), path: "/admin" },
    <JobsScreen
      typed={{ state: state ?? "", about: about ?? "" }}
      jobs={jobs.slice(0, LISTED)}
      count={jobs.length}
      timeZone={services.shop.timeZone}
      bulk={bulkOffers(services, session)}
    />,
  )
}
