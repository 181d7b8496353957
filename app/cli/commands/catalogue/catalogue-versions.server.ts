import type { CatalogueAdmin } from "~/billing/catalogue/catalogue-admin"
import { contentOf } from "~/billing/embedded/catalogue/catalogue-file"
import { type Call, type Command, CommandError } from "~/cli/command"
import {
  flawText,
  newTypedProduct,
  placeOf,
  saveCatalogue,
  withNewProduct,
  withoutProduct,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { catalogueHistory } from "~/flows/admin/version-history.server"
import { asksReason, madeBy, numberIn, savedResult, versionCommands } from "../version-commands.server"

export const catalogueVersions = versionCommands({
  name: "the products",
  none: "No versions: the products were not changed yet.",
  historyOf: async (call) => catalogueHistory(catalogueOf(call)),
  jsonOf: ({ products }) => ({ catalogue: contentOf(products) }),
})

export const wording = {
  same: "The products are like that already.",
  changed: "The products have changed meanwhile. Nothing was done: try again.",
  flaw: flawText,
}

export const takeBackVersion: Command = {
  about: "give the products the state of an earlier version again, as a new version",
  args: ["NUMBER"],
  ...asksReason,
  audit: ({ args: [number] }) => ({ action: "take-back-catalogue", subject: `catalogue version ${number}` }),
  async run(call) {
    const catalogue = catalogueOf(call)
    const version = numberIn(call.args[0])
    const { latest } = await catalogue.present()
    const outcome = await saveCatalogue(catalogue, { version }, madeBy(call, latest))
    return savedResult(outcome, call, {
      ...wording,
      same: `The products are those of version ${version} already.`,
      saved: (made) => `Version ${made} has the products of version ${version}.`,
    })
  },
}

export const copyProduct: Command = {
  about: "add a hidden product with all that another one has, under a new id",
  args: ["ID", "NEW-ID"],
  ...asksReason,
  audit: ({ args: [, id = ""] }) => ({ action: "edit-catalogue", subject: `product ${id}` }),
  async run(call) {
    const [source = "", pid = ""] = call.args
    const { catalogue, present, place, made } = await changing(call, source)
    if (placeOf(present.content, pid) === null && (await catalogue.isSold(pid)))
      throw new CommandError(
        `Services or orders have the id ${pid} of an earlier product. Choose another one.`,
      )
    const typed = { ...newTypedProduct(present.content, place.list, source), pid }
    const to = withNewProduct(present.content, place.list, typed)
    const saved = (version: number) => `Version ${version} has the hidden product ${pid}.`
    return savedResult(await saveCatalogue(catalogue, to, made), call, { ...wording, saved })
  },
}

export const removeProduct: Command = {
  about: "remove a product that was never ordered",
  args: ["ID"],
  ...asksReason,
  audit: ({ args: [id = ""] }) => ({ action: "edit-catalogue", subject: `product ${id}` }),
  async run(call) {
    const [pid = ""] = call.args
    const { catalogue, present, made } = await changing(call, pid)
    if (await catalogue.isSold(pid))
      throw new CommandError(`Product ${pid} was ordered, so it cannot be removed. Hide it.`)
    const to = withoutProduct(present.content, pid)
    const saved = (version: number) => `Version ${version} does not have product ${pid}.`
    return savedResult(await saveCatalogue(catalogue, to, made), call, { ...wording, saved })
  },
}

/** The catalogue with a product that is in it. */
async function changing(call: Call, pid: string) {
  const catalogue = catalogueOf(call)
  const present = await catalogue.present()
  const place = placeOf(present.content, pid)
  if (!place) throw new CommandError(`Product "${pid}" not found.`)
  return { catalogue, present, place, made: madeBy(call, present.latest) }
}

export function catalogueOf({ billing }: Call): CatalogueAdmin {
  if (billing.catalogue) return billing.catalogue
  throw new CommandError("The external billing system has the products: change them there.")
}
