import { consoleRequest } from "~/context/console.server"
import { gatewayStates } from "~/flows/admin/payments/gateway-states.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { GatewaysScreen } from "~/ui/admin/payments/gateways-screen.server"
import type { Route } from "./+types/gateways"

/** The gateways: which of them do not answer, since when, and how many orders wait for them. */
export async function loader({ context }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  return consolePage(
    context,
    { title: t("gateways.title"), path: "/admin/gateways" },
    <GatewaysScreen gateways={await gatewayStates(services)} timeZone={services.shop.timeZone} />,
  )
}
