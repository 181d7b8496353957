import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { z } from "zod"
import { brandContentOf } from "~/config/brand-content.server"
import { brandSections, savedBrand } from "~/domain/shop/shop-sections"
import { type BrandTarget, brandFlawText, presentBrand, saveBrand } from "~/flows/admin/manage-brand.server"
import { brandHistory } from "~/flows/admin/version-history.server"
import { type Call, type Command, CommandError, type CommandResult } from "../command"
import { onDisk } from "../files.server"
import { textsWith } from "../shop-texts.server"
import { asksReason, madeBy, numberIn, savedResult, versionCommands } from "./version-commands.server"

export const showBrand: Command = {
  about: "show brand and texts as they are, and which sections the console or a command has set",
  args: [],
  async run({ billing, config }) {
    const { latest: version, content } = await presentBrand(billing.brand)
    const sources = brandSections.map((name) => {
      const source = content[name] === undefined ? "shop file" : `version ${version}`
      return [name, source] as const
    })
    return {
      text: sources.map(([name, source]) => `${name}  ${source}`).join("\n"),
      data: {
        version,
        sources: Object.fromEntries(sources),
        content: brandContentOf(textsWith(config, content)),
      },
    }
  },
}

export const setBrand: Command = {
  about: "set sections of brand and texts by a file, in place of those of the shop file",
  args: ["FILE"],
  ...asksReason,
  audit: () => ({ action: "edit-brand", subject: "brand" }),
  async run(call) {
    const [file = ""] = call.args
    const { content } = await presentBrand(call.billing.brand)
    const typed = await withPicture(await onDisk(readFile(file, "utf8")), file)
    return saved(call, { how: "edit", content: { ...content, ...typed } })
  },
}

export const brandVersions = versionCommands({
  name: "brand and texts",
  none: "No versions: everything is as in the shop file.",
  zero: "0 is the shop file",
  historyOf: async ({ billing }) => brandHistory(billing.brand),
  jsonOf: ({ content }) => ({ content: savedBrand(content) }),
})

export const restoreBrand: Command = {
  about: "give brand and texts the state of an earlier version again, as a new version",
  args: ["NUMBER"],
  ...asksReason,
  audit: ({ args: [number] }) => ({ action: "take-back-brand", subject: `brand version ${number}` }),
  run: (call) => saved(call, { how: "take-back", version: numberIn(call.args[0]) }),
}

export const resetBrand: Command = {
  about: "give brand and texts the values of the shop file again, as a new version",
  args: [],
  ...asksReason,
  audit: () => ({ action: "reset-brand", subject: "brand" }),
  run: (call) => saved(call, { how: "reset" }),
}

async function saved(call: Call, target: BrandTarget): Promise<CommandResult> {
  const { brand } = call.billing
  const present = await presentBrand(brand)
  const outcome = await saveBrand(brand, { target, present }, madeBy(call, present.latest))
  return savedResult(outcome, call, {
    saved: (version) => `Version ${version} holds. Running shops show it within two seconds.`,
    same: "Nothing was saved: it is like that already.",
    changed: "It has changed meanwhile. Nothing was done: try again.",
    flaw: brandFlawText,
  })
}

const NamedPicture = z.object({
  brand: z.object({
    logo: z.object({
      file: z.string().min(1),
      withName: z.boolean().optional(),
      plate: z.boolean().optional(),
    }),
  }),
})

/** The sections of a file. A logo that it names, relative to itself as in the shop file, becomes its bytes. */
async function withPicture(text: string, file: string): Promise<Record<string, unknown>> {
  const sections = sectionsIn(text, file)
  const named = NamedPicture.safeParse(sections).data
  if (!named) return sections
  const { file: picture, ...shown } = named.brand.logo
  const bytes = await onDisk(readFile(resolve(dirname(file), picture)))
  return {
    ...sections,
    brand: { ...Object(sections.brand), logo: { ...shown, data: bytes.toString("base64") } },
  }
}

function sectionsIn(text: string, file: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch (cause) {
    throw new CommandError(`${file} is not a JSON object.`, { cause })
  }
}
