import { readFile, writeFile } from "node:fs/promises"
import {
  InvalidCatalogueError,
  readCatalogueFile,
  writeCatalogueFile,
} from "~/billing/embedded/catalogue/catalogue-file"
import { type Call, type Command, CommandError } from "../command"
import { onDisk } from "../files.server"

export const catalogue: Command = {
  args: ["export|import", "FILE"],
  run(call) {
    const [direction = ""] = call.args
    if (direction === "export") return takeOut(call)
    if (direction === "import") return putIn(call)
    throw new CommandError(`A catalogue is exported or imported; "${direction}" is neither.`)
  },
}

async function takeOut({ billing, args: [, file = ""] }: Call): Promise<string> {
  const written = writeCatalogueFile(await billing.operator.exportCatalogue())
  await onDisk(writeFile(file, written))
  return `Written to ${file}.`
}

async function putIn({ billing, externalBilling, args: [, file = ""] }: Call): Promise<string> {
  if (externalBilling)
    throw new CommandError("The price list is kept by the billing system: change it there.")
  const text = await onDisk(readFile(file, "utf8"))
  await billing.operator.importCatalogue(usable(text))
  return `${file} is the price list now. Running shops show it within seconds.`
}

function usable(text: string) {
  try {
    return readCatalogueFile(text)
  } catch (error) {
    if (error instanceof InvalidCatalogueError) throw new CommandError(error.message, { cause: error })
    throw error
  }
}
