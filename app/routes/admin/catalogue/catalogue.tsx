import { consoleRequest } from "~/context/console.server"
import { productsOnSale } from "~/flows/services/all-products.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueScreen } from "~/ui/admin/catalogue/catalogue-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { doneNotice } from "../done-notice.server"
import { versionsShown } from "../version-pages.server"
import type { Route } from "./+types/catalogue"

const PATH = "/admin/catalogue"

/** The products, their options, and the versions. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const { catalogue } = services.console
  const head = { title: t("catalogue.title"), path: PATH }
  const { timeZone } = services.shop
  if (!catalogue) {
    const products = await productsOnSale(services.catalogue)
    return consolePage(
      context,
      head,
      <CatalogueScreen notice={null} products={products} versions={null} timeZone={timeZone} />,
    )
  }
  const [{ products }, versions] = await Promise.all([
    catalogue.present(),
    versionsShown(context, { subject: "catalogue", source: catalogue, query: url.searchParams }),
  ])
  return consolePage(
    context,
    head,
    <CatalogueScreen notice={noticeIn(url)} products={products} {...versions} timeZone={timeZone} />,
  )
}

function noticeIn({ searchParams }: URL): ActionNotice | null {
  if (searchParams.has("gone")) return { kind: "warning", text: t("catalogue.gone.any") }
  if (searchParams.has("removed")) return { kind: "good", text: t("catalogue.removed") }
  return doneNotice(searchParams)
}
