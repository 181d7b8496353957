import { readFile, writeFile } from "node:fs/promises"
import {
  InvalidCatalogueError,
  readCatalogueFile,
  writeCatalogueFile,
} from "~/billing/embedded/catalogue/catalogue-file"
import { type Command, CommandError } from "~/cli/command"
import { onDisk } from "~/cli/files.server"
import { withWarnings } from "~/cli/format"
import { plansNeverShown } from "~/domain/catalogue/catalogue"
import { ADMIN_CLI } from "~/domain/operators/operator"

export const exportCatalogue: Command = {
  about: "export products and promotions",
  args: ["FILE"],
  async run({ billing, args: [file = ""] }) {
    const written = writeCatalogueFile(await billing.operator.exportCatalogue())
    await onDisk(writeFile(file, written))
    return { text: `Catalogue written to ${file}.`, data: { file } }
  },
}

export const importCatalogue: Command = {
  about: "replace products and promotions",
  args: ["FILE"],
  options: { reason: "why, for the audit log and the versions" },
  audit: () => ({ action: "import-catalogue", subject: "catalogue" }),
  async run({ billing, externalBilling, args: [file = ""], options, now }) {
    if (externalBilling)
      throw new CommandError("Cannot import a catalogue: the external billing system owns it.")
    const text = await onDisk(readFile(file, "utf8"))
    const imported = usable(text)
    await billing.operator.importCatalogue(imported, {
      author: ADMIN_CLI,
      reason: options.reason?.trim() || null,
      at: now,
    })
    const plans = imported.products.filter(({ kind }) => kind === "plan")
    const warnings = plansNeverShown(plans).map(
      ({ id, name }) => `plan ${id} (${name}) is never shown: the checkout shows the first three.`,
    )
    const message = `Catalogue replaced from ${file}. Running shops show it within two seconds.`
    return { text: withWarnings(message, warnings), data: { file, warnings } }
  },
}

function usable(text: string) {
  try {
    return readCatalogueFile(text)
  } catch (error) {
    if (error instanceof InvalidCatalogueError) throw new CommandError(error.message, { cause: error })
    throw error
  }
}
