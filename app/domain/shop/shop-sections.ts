import { z } from "zod"
import { MAX_ADDRESS_LINES } from "../accounting/tax-document"
import { locales } from "../locales"
import { gatewayIds } from "../payments/gateway-id"
import type { Hex } from "./colour"
import { isActive, logoImageIn, MAX_LOGO_BYTES } from "./logo-image"
import { customerMessages } from "./mail"
import { MAX_STEPS, setupDevices } from "./setup-steps"
import { deviceKinds } from "./shop-links"

/** URLs that are safe in a link: http and https only. */
export const Web = z.url({ protocol: /^https?$/ })
const Support = z.union([Web, z.url({ protocol: /^mailto$/ })])

const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "must be a colour, for example #405db1")
  .transform((value): Hex => `#${value.slice(1).toLowerCase()}`)

const LocaleCodes = z.enum(locales.map(({ code }) => code))

/** Text in some of the locales, by locale code. */
export const textField = (max: number) => z.partialRecord(LocaleCodes, z.string().trim().min(1).max(max))

/** Text of one line: a subject is a header, which a line break would end. */
export const lineField = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "must be one line, without control characters")

/** The brand without its logo, which a file names and the console keeps. */
export const brandFields = {
  name: z.string().trim().min(1).max(40).default("Boxoffice"),
  title: textField(60).default({}),
  guarantee: textField(200).nullable().default({}),
  colours: z
    .strictObject({ light: Colour, dark: Colour.nullable().default(null) })
    .default({ light: "#405db1", dark: "#8ea6f0" }),
}

/** Who sells, as invoices and credit notes have it. */
export const documentSellerFields = {
  name: lineField(120).nullable().default(null),
  address: z.array(lineField(80)).max(MAX_ADDRESS_LINES).default([]),
  email: z.email("must be an e-mail address").nullable().default(null),
}

const LegalUrl = z
  .union([Web, z.partialRecord(LocaleCodes, Web)])
  .nullable()
  .default(null)

/** Who sells, and where the terms are. */
export const legalFields = {
  seller: lineField(200).nullable().default(null),
  terms: LegalUrl,
  privacy: LegalUrl,
  refunds: LegalUrl,
}

export const linkFields = {
  guides: Web.nullable().default(null),
  speedTest: Web.nullable().default(null),
  support: Support.nullable().default(null),
}

/** A player that the service page offers. */
export const appFields = {
  name: z.string().trim().min(1).max(40),
  devices: z.array(z.enum(deviceKinds)).nonempty("must be for one kind of device at least"),
  store: Web,
  open: z
    .string()
    .regex(/^(?!javascript:|data:|vbscript:)[a-z][a-z0-9+.-]*:/i, "must be a link that opens an app")
    .nullable()
    .default(null),
}

/** One sentence of a set-up guide. */
const Step = textField(160)

/** The sentences of the set-up guide of each device. */
export const Setup = z.partialRecord(z.enum(setupDevices), z.array(Step).max(MAX_STEPS))

export const Messages = z
  .partialRecord(
    z.enum(customerMessages),
    z.partialRecord(
      LocaleCodes,
      z.strictObject({ subject: lineField(78).optional(), paragraph: lineField(600).optional() }),
    ),
  )
  .default({})

const Minutes = z
  .strictObject({ from: z.int().min(0), to: z.int().min(1).max(1440) })
  .refine(({ from, to }) => from <= to, "`from` must not be above `to`")

const Method = z.strictObject({
  name: textField(40).default({}),
  note: textField(120).default({}),
  statement: lineField(40).nullable().default(null),
  minutes: Minutes.nullable().default(null),
  coins: z
    .record(
      z.string().regex(/^[\w.]{1,20}(\/[\w.-]{1,30})?$/, "must be a coin, such as BTC or USDT/tron"),
      Minutes,
    )
    .default({}),
  /** Its place among the methods, from 1; those without one follow in the order of `GATEWAYS`. */
  place: z.int().min(1).max(9).nullable().default(null),
})

export const Methods = z.partialRecord(z.enum(gatewayIds), Method)

/** The bytes of a picture, in base64. */
const LogoData = z
  .base64({ abort: true })
  .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, {
    abort: true,
    error: `must not be larger than ${MAX_LOGO_BYTES / 1000} kB`,
  })
  .refine((data) => logoImageIn(bytesOfLogo(data)) !== null, {
    abort: true,
    error: "must be a PNG or an SVG with a viewBox",
  })
  .refine((data) => !isActive(bytesOfLogo(data)), "must not contain scripts, events or other documents")

/** The bytes of a picture that is kept in base64. */
export function bytesOfLogo(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (sign) => sign.codePointAt(0) ?? 0)
}

/** How a logo is shown: beside the name, and on a white plate in dark mode if it has no colours for it. */
export const logoFields = { withName: z.boolean().default(true), plate: z.boolean().default(true) }

/** A list that a form has changed: a row that was emptied is null, so that the places of the others stay those of the form. */
function rowsOf<Row extends z.ZodType>(row: Row) {
  return z.array(row.nullable()).transform((rows) => rows.flatMap((it) => (it === null ? [] : [it])))
}

/** The sections that the console can set, with the rules of the shop file. A section that is missing is the shop file's. */
const sections = {
  brand: z.strictObject({
    ...brandFields,
    logo: z
      .strictObject({ data: LogoData, ...logoFields })
      .nullable()
      .default(null),
  }),
  links: z.strictObject(linkFields),
  apps: rowsOf(z.strictObject(appFields)),
  setup: z.partialRecord(z.enum(setupDevices), rowsOf(Step)),
  legal: z.strictObject(legalFields),
  documents: z.strictObject({
    seller: z
      .strictObject({ ...documentSellerFields, address: rowsOf(lineField(80)).default([]) })
      .prefault({}),
  }),
  methods: Methods,
  mail: z.strictObject({ messages: Messages }),
}

const BrandContentSchema = z.strictObject(sections).partial()

/** What the console has in place of sections of the shop file. */
export type BrandContent = z.output<typeof BrandContentSchema>
export type BrandSection = keyof typeof sections
export const brandSections = Object.keys(sections) as readonly BrandSection[]

/** What a place is refused for, in English: `["methods", "offshore", "name", "de-de"]`. */
export type BrandFlaw = { readonly path: readonly PropertyKey[]; readonly message: string }

export type BrandChecked =
  | { readonly kind: "valid"; readonly content: BrandContent }
  | { readonly kind: "invalid"; readonly flaws: readonly BrandFlaw[] }

/** Checks what somebody wants to save. */
export function checkBrand(content: unknown): BrandChecked {
  const parsed = BrandContentSchema.safeParse(content, { error: wordsOf })
  if (parsed.success) return { kind: "valid", content: parsed.data }
  return { kind: "invalid", flaws: parsed.error.issues.flatMap((issue) => flawsOf(issue, [])) }
}

const upTo = (origin: string, most: number | bigint) =>
  origin === "string" ? `must have at most ${most} characters` : `must be at most ${most}`

function typeWords({
  input,
  expected,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string | undefined {
  if (input === undefined) return "must not be empty"
  return /^(number|int)$/.test(expected) ? "must be a whole number" : undefined
}

/** What is wrong where a rule has no words of its own; undefined: the words of zod, about what no form sends. */
function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "too_big":
      return upTo(issue.origin, issue.maximum)
    case "too_small":
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`
    case "invalid_format":
      return issue.format === "url"
        ? "must be a complete address, such as https://shop.example/help"
        : undefined
    case "invalid_type":
      return typeWords(issue)
    default:
      return undefined
  }
}

/** Of a choice between two shapes, what is wrong in the one that was meant. */
function flawsOf(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): readonly BrandFlaw[] {
  const path = [...at, ...issue.path]
  if (issue.code !== "invalid_union") return [{ path, message: issue.message }]
  const meant = issue.errors.find(([first]) => first?.code !== "invalid_type") ?? issue.errors[0] ?? []
  return meant.flatMap((it) => flawsOf(it, path))
}

/**
 * What was saved. A section that a later version of the rules refuses is left out, so that the shop file's holds: a shop starts
 * whatever was saved once.
 */
export function savedBrand(stored: unknown): BrandContent {
  const known = z.record(z.string(), z.unknown()).safeParse(stored).data ?? {}
  const parts = brandSections.map((name) => [name, sections[name].safeParse(known[name]).data] as const)
  return BrandContentSchema.parse(
    Object.fromEntries(parts.filter(([name, it]) => known[name] !== undefined && it !== undefined)),
  )
}
