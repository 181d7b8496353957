import type { PageHandle } from "~/document"
import { showResellerPlans } from "~/flows/show-reseller-plans.server"
import { market } from "~/middleware/market.server"
import { servicesContext } from "~/services.server"
import { ResellerPlans } from "~/ui/reseller-plans"
import type { Route } from "./+types/resellers"

export const middleware: Route.MiddlewareFunction[] = [market]
export const handle = { title: "title.resellers", public: true } satisfies PageHandle

export async function loader({ context }: Route.LoaderArgs) {
  return { plans: await showResellerPlans(context.get(servicesContext)) }
}

export default function Resellers({ loaderData }: Route.ComponentProps) {
  return <ResellerPlans {...loaderData} />
}
