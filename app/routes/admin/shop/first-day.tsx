import { consoleRequest } from "~/context/console.server"
import { diagnoseShop } from "~/flows/admin/shop/diagnose-shop.server"
import { firstDayIn } from "~/flows/admin/shop/first-day.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { FirstDayScreen } from "~/ui/admin/shop/first-day-screen.server"
import type { Route } from "./+types/first-day"

/** The checklist of the first day, and what doctor finds. */
export async function loader({ context }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const view = await firstDayIn(services)
  const head = { title: t("firstDay.title"), path: "/admin/first-day" }
  return consolePage(
    context,
    head,
    <FirstDayScreen {...view} findings={await diagnoseShop(services)} timeZone={services.shop.timeZone} />,
  )
}
