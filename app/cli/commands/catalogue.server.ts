import { readFile, writeFile } from "node:fs/promises"
import {
  InvalidCatalogueError,
  readCatalogueFile,
  writeCatalogueFile,
} from "~/billing/embedded/catalogue/catalogue-file"
import { plansNeverShown } from "~/domain/catalogue"
import { type Call, type Command, CommandError } from "../command"
import { onDisk } from "../files.server"

export const catalogue: Command = {
  args: ["export|import", "FILE"],
  run(call) {
    const [direction = ""] = call.args
    if (direction === "export") return exportCatalogue(call)
    if (direction === "import") return importCatalogue(call)
    throw new CommandError(`Unknown action "${direction}". Valid: export, import.`)
  },
}

async function exportCatalogue({ billing, args: [, file = ""] }: Call): Promise<string> {
  const written = writeCatalogueFile(await billing.operator.exportCatalogue())
  await onDisk(writeFile(file, written))
  return `Catalogue written to ${file}.`
}

async function importCatalogue({ billing, externalBilling, args: [, file = ""] }: Call): Promise<string> {
  if (externalBilling)
    throw new CommandError("Cannot import a catalogue: the external billing system owns it.")
  const text = await onDisk(readFile(file, "utf8"))
  const imported = usable(text)
  await billing.operator.importCatalogue(imported)
  const plans = imported.products.filter(({ kind }) => kind === "plan")
  const warnings = plansNeverShown(plans).map(
    ({ id, name }) => `\nWarning: plan ${id} (${name}) is never shown: the checkout shows the first three.`,
  )
  return `Catalogue replaced from ${file}. Running shops show it within two seconds.${warnings.join("")}`
}

function usable(text: string) {
  try {
    return readCatalogueFile(text)
  } catch (error) {
    if (error instanceof InvalidCatalogueError) throw new CommandError(error.message, { cause: error })
    throw error
  }
}
