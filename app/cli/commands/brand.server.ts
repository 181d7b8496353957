import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { z } from "zod"
import type { BrandVersion } from "~/billing/brand-versions"
import { brandContentOf } from "~/config/brand-content.server"
import { brandChanges } from "~/domain/shop/brand-changes"
import { type BrandContent, brandSections, savedBrand } from "~/domain/shop/shop-sections"
import {
  type BrandTarget,
  brandFlawText,
  brandOfVersion,
  presentBrand,
  saveBrand,
} from "~/flows/admin/manage-brand.server"
import { CLI_OPERATOR } from "~/flows/admin/run-operator-action.server"
import { type Call, type Command, CommandError, type CommandResult, UsageError } from "../command"
import { onDisk } from "../files.server"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"
import { textsWith } from "../shop-texts.server"

const USUAL = 50

export const showBrand: Command = {
  about: "show brand and texts as they are, and which sections the console or a command has set",
  args: [],
  async run({ billing, config }) {
    const { version, content } = await presentBrand(billing.brand)
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
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
  audit: () => ({ action: "edit-brand", subject: "brand" }),
  async run(call) {
    const [file = ""] = call.args
    const { content } = await presentBrand(call.billing.brand)
    const typed = await withPicture(await onDisk(readFile(file, "utf8")), file)
    return saved(call, { how: "edit", content: { ...content, ...typed } })
  },
}

export const listBrandVersions: Command = {
  about: "list versions of brand and texts, the last one first",
  args: [],
  options: { limit: `at most this many, ${USUAL} without it`, after: "those behind this number" },
  async run({ billing, options: { limit: typed, after } }) {
    const limit = limitIn(typed, USUAL)
    const before = after === undefined ? undefined : numberIn(after)
    const found = await billing.brand.versions({ before, limit: limit + 1 })
    const listed = found.slice(0, limit)
    return {
      text: listed.map(lineOf).join("\n") || "No versions: everything is as in the shop file.",
      data: {
        versions: listed.map(jsonVersion),
        next: found.length > limit ? (listed.at(-1)?.number ?? null) : null,
      },
    }
  },
}

export const showBrandVersion: Command = {
  about: "show a version of brand and texts, and what it has changed",
  args: ["NUMBER"],
  async run({ billing, args: [typed = ""] }) {
    const number = numberIn(typed)
    const found = await billing.brand.version(number)
    if (!found) throw unknown(typed)
    const { content: stored, ...version } = found
    const content = savedBrand(stored)
    const changes = brandChanges((await brandOfVersion(billing.brand, number - 1)) ?? {}, content)
    return {
      text: [lineOf(version), ...changes].join("\n"),
      data: { version: jsonVersion(version), changes, content },
    }
  },
}

export const compareBrandVersions: Command = {
  about: "say what is different between two versions of brand and texts; 0 is the shop file",
  args: ["NUMBER", "NUMBER"],
  async run(call) {
    const [before, after] = [await contentNamed(call, call.args[0]), await contentNamed(call, call.args[1])]
    const changes = brandChanges(before, after)
    return { text: changes.join("\n") || "No difference.", data: { changes } }
  },
}

export const restoreBrand: Command = {
  about: "give brand and texts the state of an earlier version again, as a new version",
  args: ["NUMBER"],
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
  audit: ({ args: [number] }) => ({ action: "take-back-brand", subject: `brand version ${number}` }),
  run: (call) => saved(call, { how: "take-back", version: numberIn(call.args[0] ?? "") }),
}

export const resetBrand: Command = {
  about: "give brand and texts the values of the shop file again, as a new version",
  args: [],
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
  audit: () => ({ action: "reset-brand", subject: "brand" }),
  run: (call) => saved(call, { how: "reset" }),
}

async function saved({ billing, now, args, options }: Call, target: BrandTarget): Promise<CommandResult> {
  const present = await presentBrand(billing.brand)
  const reason = options.reason?.trim() || null
  const value = await saveBrand(billing.brand, target, { author: CLI_OPERATOR, reason, at: now, present })
  switch (value.kind) {
    case "saved": {
      const { version, changes } = value
      const said = `Version ${version} holds. Running shops show it within two seconds.`
      return { text: [said, ...changes].join("\n"), data: { version, changes }, after: { version, changes } }
    }
    case "invalid":
      throw new CommandError(value.flaws.map(brandFlawText).join("\n"))
    case "same":
      throw new CommandError("Nothing was saved: it is like that already.")
    case "unknown-version":
      throw unknown(args[0])
    default:
      throw new CommandError("It has changed meanwhile. Nothing was done: try again.")
  }
}

const NamedPicture = z.object({
  brand: z.object({ logo: z.object({ file: z.string().min(1), withName: z.boolean().optional() }) }),
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

async function contentNamed({ billing }: Call, typed = ""): Promise<BrandContent> {
  const content = await brandOfVersion(billing.brand, typed === "0" ? 0 : numberIn(typed))
  if (!content) throw unknown(typed)
  return content
}

const unknown = (typed = "") => new CommandError(`Version ${typed} not found.`)

function numberIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not the number of a version.`)
  return Number(text)
}

function lineOf({ number, at, author, reason, how, takenFrom }: BrandVersion): string {
  const origin = takenFrom === null ? how : `${how} of ${takenFrom}`
  return [number, time(at), origin, author, reason].filter((it) => it !== null).join("  ")
}

function jsonVersion({ at, ...version }: BrandVersion) {
  return { ...version, at: jsonTime(at) }
}
