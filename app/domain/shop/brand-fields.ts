import { MAX_ADDRESS_LINES } from "../accounting/tax-document"
import { type LocaleCode, locales } from "../locales"
import type { GatewayId } from "../payments/gateway-id"
import { legalPages } from "./legal"
import { type CustomerMessage, customerMessages } from "./mail"
import { MAX_STEPS, type SetupDevice, setupDevices } from "./setup-steps"
import { deviceKinds } from "./shop-links"
import type { BrandContent, BrandSection } from "./shop-sections"

/** Parts of brand and texts that have a form of their own: the words of each message are one. */
export const brandParts = [
  "brand",
  "logo",
  "links",
  "documents",
  "methods",
  "apps",
  ...setupDevices.map((device) => `setup-${device}` as const),
  ...customerMessages.map((name) => `mail-${name}` as const),
] as const
export type BrandPart = (typeof brandParts)[number]

/** The message whose words a part has; null for another part. */
export function messageOfPart(part: BrandPart): CustomerMessage | null {
  return customerMessages.find((name) => part === `mail-${name}`) ?? null
}

/** The device whose set-up steps a part has; null for another part. */
export function deviceOfPart(part: BrandPart): SetupDevice | null {
  return setupDevices.find((device) => part === `setup-${device}`) ?? null
}

/** What a field is called; texts of the console name each. */
export type BrandFieldName =
  | "name"
  | "title"
  | "hasGuarantee"
  | "guarantee"
  | "light"
  | "dark"
  | "withName"
  | "plate"
  | "guides"
  | "speedTest"
  | "support"
  | "seller"
  | (typeof legalPages)[number]
  | "sellerName"
  | "addressLine"
  | "sellerEmail"
  | "place"
  | "note"
  | "statement"
  | "from"
  | "to"
  | "appName"
  | "store"
  | "open"
  | (typeof deviceKinds)[number]
  | "step"
  | "subject"
  | "paragraph"

/** A field of a form: one value of the content. */
export type BrandField = {
  readonly name: BrandFieldName
  /** Where the content has it, as a text too: `brand.title.de-de`. */
  readonly path: readonly string[]
  readonly kind: "text" | "number" | "switch"
  readonly locale: LocaleCode | null
  readonly gateway: GatewayId | null
  /** Its row in a list, from 1; null outside of lists. */
  readonly row: number | null
}

/** What was typed, by the path of the field. */
export type TypedBrand = Readonly<Record<string, string>>

export const pathText = (path: readonly PropertyKey[]) => path.map(String).join(".")

const field = (
  name: BrandFieldName,
  path: readonly string[],
  kind: BrandField["kind"] = "text",
): BrandField => ({
  name,
  path,
  kind,
  locale: null,
  gateway: null,
  row: null,
})

/** The same field in each language. */
function inLanguages(
  name: BrandFieldName,
  path: (code: LocaleCode) => readonly string[],
): readonly BrandField[] {
  return locales.map(({ code }) => ({ ...field(name, path(code)), locale: code }))
}

/** Whether a guarantee is shown: no value of the content, but whether it is null. */
const GUARANTEE = ["brand", "guarantee"] as const
const SHOWN = [...GUARANTEE, "shown"] as const

/** Who sells, as documents have it. */
const SELLER = ["documents", "seller"] as const
const ADDRESS = [...SELLER, "address"] as const

const LOGO = ["brand", "logo"] as const
const WITH_NAME = [...LOGO, "withName"] as const
const PLATE = [...LOGO, "plate"] as const

/** The fields of a part. `gateways`: the methods that the shop has. */
export function fieldsOfPart(part: BrandPart, gateways: readonly GatewayId[]): readonly BrandField[] {
  const message = messageOfPart(part)
  if (message) return fieldsOfMessage(message)
  const device = deviceOfPart(part)
  if (device) return rows(MAX_STEPS, (place) => inLanguages("step", (code) => ["setup", device, place, code]))
  if (part === "apps") return rows(MAX_APPS, fieldsOfApp)
  if (part === "documents") return documentFields()
  if (part === "methods") return gateways.flatMap(fieldsOfMethod)
  if (part === "logo") return [field("withName", WITH_NAME, "switch"), field("plate", PLATE, "switch")]
  return part === "links" ? linkFields() : brandFields()
}

function brandFields(): readonly BrandField[] {
  return [
    field("name", ["brand", "name"]),
    field("light", ["brand", "colours", "light"]),
    field("dark", ["brand", "colours", "dark"]),
    ...inLanguages("title", (code) => ["brand", "title", code]),
    field("hasGuarantee", SHOWN, "switch"),
    ...inLanguages("guarantee", (code) => [...GUARANTEE, code]),
  ]
}

function linkFields(): readonly BrandField[] {
  return [
    field("seller", ["legal", "seller"]),
    field("support", ["links", "support"]),
    field("guides", ["links", "guides"]),
    field("speedTest", ["links", "speedTest"]),
    ...legalPages.flatMap((page) => inLanguages(page, (code) => ["legal", page, code])),
  ]
}

function documentFields(): readonly BrandField[] {
  return [
    field("sellerName", [...SELLER, "name"]),
    ...rows(MAX_ADDRESS_LINES, (place) => [field("addressLine", [...ADDRESS, place])]),
    field("sellerEmail", [...SELLER, "email"]),
  ]
}

function fieldsOfMethod(gateway: GatewayId): readonly BrandField[] {
  const at = ["methods", gateway]
  return [
    field("place", [...at, "place"], "number"),
    ...inLanguages("name", (code) => [...at, "name", code]),
    ...inLanguages("note", (code) => [...at, "note", code]),
    field("statement", [...at, "statement"]),
    field("from", [...at, "minutes", "from"], "number"),
    field("to", [...at, "minutes", "to"], "number"),
  ].map((it) => ({ ...it, gateway }))
}

/** The most apps that a form has; what the shop file has beyond them stays. */
const MAX_APPS = 20

/** The fields of each row of a list. `place`: of the row in the list, from 0. */
function rows(count: number, fieldsOf: (place: string) => readonly BrandField[]): readonly BrandField[] {
  return Array.from({ length: count }, (_, place) =>
    fieldsOf(String(place)).map((it) => ({ ...it, row: place + 1 })),
  ).flat()
}

function fieldsOfApp(place: string): readonly BrandField[] {
  const at = ["apps", place]
  return [
    field("appName", [...at, "name"]),
    field("store", [...at, "store"]),
    field("open", [...at, "open"]),
    ...deviceKinds.map((kind) => field(kind, [...at, "devices", kind], "switch")),
  ]
}

/** The fields without the empty rows at the end of a list, but for the first `spare` of them. */
export function withoutSpareRows(
  fields: readonly BrandField[],
  values: TypedBrand,
  spare: number,
): readonly BrandField[] {
  const filled = fields.filter(({ path }) => (values[pathText(path)] ?? "") !== "").map(({ row }) => row ?? 0)
  const last = Math.max(0, ...filled) + spare
  return fields.filter(({ row }) => row === null || row <= last)
}

function fieldsOfMessage(message: CustomerMessage): readonly BrandField[] {
  const at = ["mail", "messages", message]
  return [
    ...inLanguages("subject", (code) => [...at, code, "subject"]),
    ...inLanguages("paragraph", (code) => [...at, code, "paragraph"]),
  ]
}

/** Content with all its sections as the fields of a form show it. */
export function typedBrand(content: BrandContent, fields: readonly BrandField[]): TypedBrand {
  const tree = treeOf(content)
  return Object.fromEntries(fields.map(({ path }) => [pathText(path), typedAt(tree, path)]))
}

function typedAt(content: Tree, path: readonly string[]): string {
  if (path === SHOWN) return valueAt(content, GUARANTEE) === null ? "" : "on"
  // A logo that is chosen stands beside the name and on its plate unless somebody says otherwise.
  if ((path === WITH_NAME || path === PLATE) && valueAt(content, LOGO) === null) return "on"
  return textOf(valueAt(content, path))
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : ""
  return value === undefined || value === null ? "" : String(value)
}

/** The sections that a part has values of. */
export function sectionsOfPart(part: BrandPart): readonly BrandSection[] {
  if (messageOfPart(part)) return ["mail"]
  if (deviceOfPart(part)) return ["setup"]
  if (part === "methods" || part === "apps" || part === "documents") return [part]
  return part === "links" ? ["links", "legal"] : ["brand"]
}

/**
 * Content with what was typed, not checked yet. `whole`: the content with all its sections: what the fields do not have, such as
 * the logo or the times of coins, stays in a section that is typed.
 */
export function withTypedBrand(
  content: BrandContent,
  whole: BrandContent,
  { part, fields, typed }: { part: BrandPart; fields: readonly BrandField[]; typed: TypedBrand },
): unknown {
  const tree = treeOf(whole)
  for (const { path, kind } of fields) put(tree, path, typedValue(typed[pathText(path)] ?? "", kind))
  if (part === "brand" && typed[pathText(SHOWN)] !== "on") put(tree, GUARANTEE, null)
  else put(tree, SHOWN, undefined)
  tree.apps = appsIn(tree.apps)
  tree.setup = stepsIn(tree.setup)
  put(tree, ADDRESS, textRowsIn(valueAt(tree, ADDRESS)))
  const sections = sectionsOfPart(part).map((name) => [name, withoutEmpty(tree[name]) ?? {}] as const)
  return { ...content, ...Object.fromEntries(sections) }
}

function typedValue(typed: string, kind: BrandField["kind"]): unknown {
  if (kind === "switch") return typed === "on"
  const text = typed.trim()
  if (text === "") return undefined
  return kind === "number" ? Number(text) : text
}

type Tree = { [name: string]: unknown }

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * A copy in which fields find their values by their paths: a list has its rows by their places, and a URL for all languages is the
 * English one, which the others fall back to.
 */
function treeOf(content: BrandContent): Tree {
  const { apps = [], setup = {}, documents, ...rest } = structuredClone(content)
  const appRows = apps.map((it) => ({
    ...it,
    devices: Object.fromEntries(it.devices.map((kind) => [kind, true])),
  }))
  const stepRows = Object.entries(setup).map(([device, steps]) => [device, { ...steps }] as const)
  const seller = { ...documents?.seller, address: { ...documents?.seller.address } }
  const tree: Tree = {
    ...rest,
    apps: { ...appRows },
    setup: Object.fromEntries(stepRows),
    documents: { seller },
  }
  for (const page of legalPages) {
    const url = content.legal?.[page]
    if (typeof url === "string") put(tree, ["legal", page], { "en-en": url })
  }
  return tree
}

/** The list of apps. A row without a text is null. */
function appsIn(tree: unknown): readonly unknown[] {
  return rowsIn(tree).map((row) => {
    const { devices, ...texts } = isTree(row) ? row : {}
    const app = withoutEmpty(texts)
    return isTree(app)
      ? { ...app, devices: deviceKinds.filter((kind) => isTree(devices) && devices[kind] === true) }
      : null
  })
}

/** The list of steps of each device. A row without a text is null. */
function stepsIn(tree: unknown): Tree {
  const devices = Object.entries(isTree(tree) ? tree : {})
  return Object.fromEntries(
    devices.map(([device, it]) => [device, rowsIn(it).map((row) => withoutEmpty(row) ?? null)]),
  )
}

/** A list of texts. An empty row is null. */
function textRowsIn(tree: unknown): readonly unknown[] {
  return rowsIn(tree).map((row) => row ?? null)
}

function rowsIn(tree: unknown): readonly unknown[] {
  return isTree(tree) ? Object.values(tree) : []
}

function valueAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isTree(value) ? value[name] : undefined), tree)
}

function put(tree: Tree, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  const below = tree[name]
  const own = isTree(below) ? below : {}
  // A picture that there is not stays none, whatever is said of it.
  if (below === null && name === "logo") return
  tree[name] = own
  put(own, rest, value)
}

/** Without what is empty, which the rules have defaults for. */
function withoutEmpty(value: unknown): unknown {
  if (!isTree(value)) return value
  const kept = Object.entries(value)
    .map(([name, it]) => [name, withoutEmpty(it)] as const)
    .filter(([, it]) => it !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
