import type { Command } from "~/cli/command"
import { readSettingFiles, shownSettings } from "~/config/shown-settings.server"
import { shownShopFile } from "~/config/shown-shop-file.server"
import type { ShownSetting, ShownShopValue } from "~/domain/console/shown-setting"

/** The settings of this process: those of a running shop are on the console's page. */
export const showSettings: Command = {
  about: "show every setting and every value of the shop file with its source, without secrets",
  args: [],
  async run({ environment, billing }) {
    const files = readSettingFiles(environment)
    const settings = shownSettings(environment, { atStart: files, present: files })
    const { values } = shownShopFile({ atStart: files, present: files })
    // The rules of tax can be stored too, and are then not those of the shop file.
    const tax = (await billing.tax?.present()) ?? null
    const rules =
      tax && `Rules of tax: ${tax.source === "console" ? `console, version ${tax.latest}` : "SHOP_FILE"}`
    return {
      text: [
        ...settings.map(lineOf),
        ...(rules ? [rules] : []),
        "",
        "Shop file",
        ...values.map(shopLineOf),
      ].join("\n"),
      data: {
        settings: settings.map(({ isStale: _, ...setting }) => setting),
        shopFile: values,
        tax: tax?.source ?? null,
      },
    }
  },
}

function lineOf({ name, value, isSet, isSecret, source, usual }: ShownSetting): string {
  const given = isSecret ? "set, and hidden" : value
  const shown = isSet ? given : (usual ?? "–")
  return `${name}=${shown}  (${source})`
}

function shopLineOf({ place, value, source }: ShownShopValue): string {
  return `${place}=${value ?? "–"}  (${source})`
}
