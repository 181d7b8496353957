import { consoleRequest } from "~/context/console.server"
import { brandSections } from "~/domain/shop/shop-sections"
import type { ShownShopFile } from "~/domain/shown-setting"
import { presentBrand } from "~/flows/admin/manage-brand.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { SettingsScreen } from "~/ui/admin/shop/settings-screen.server"
import type { Route } from "./+types/settings"

/** Every setting with its source; the values for owners alone. */
export async function loader({ context }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const isOwner = session.role === "owner"
  const settings = services.console.settings()
  const shopFile = services.console.shopFile()
  const tax = await services.console.tax?.present()
  const { latest: version, content } = await presentBrand(services.console.brand.versions)
  return consolePage(
    context,
    { title: t("settings.title"), path: "/admin/settings" },
    <SettingsScreen
      settings={isOwner ? settings : settings.map((it) => ({ ...it, value: null }))}
      shopFile={isOwner ? shopFile : withoutValues(shopFile)}
      isOwner={isOwner}
      tax={tax?.source ?? null}
      brand={brandSections.map((name) => ({ name, version: content[name] === undefined ? null : version }))}
    />,
  )
}

/** Where each value comes from, and which of them a restart would change. */
function withoutValues({ values, problem }: ShownShopFile): ShownShopFile {
  return {
    values: values.map(({ next, ...it }) => ({
      ...it,
      value: null,
      ...(next !== undefined && { next: null }),
    })),
    problem: problem === null ? null : t("settings.shopFileProblem"),
  }
}
