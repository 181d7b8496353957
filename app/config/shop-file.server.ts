import { dirname, resolve } from "node:path"
import { z } from "zod"
import type { DocumentSettings } from "~/domain/accounting/tax-document"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { Brand } from "~/domain/shop/brand"
import { noLaw } from "~/domain/shop/country-law"
import type { Legal } from "~/domain/shop/legal"
import type { MailTexts } from "~/domain/shop/mail-texts"
import type { MethodDescriptions } from "~/domain/shop/payment-methods"
import type { SetupSteps } from "~/domain/shop/setup-steps"
import type { PlayerApp, ShopLinks } from "~/domain/shop/shop-links"
import {
  appFields,
  brandFields,
  documentSellerFields,
  legalFields,
  lineField,
  linkFields,
  logoFields,
  Messages,
  Methods,
  Setup,
  textField,
} from "~/domain/shop/shop-sections"
import { TaxFile } from "~/domain/tax/tax-file"
import demonstration from "./demo-shop.json?raw"
import { type LogoFile, readLogo } from "./logo-file.server"
import { readSettingFile } from "./setting-file.server"

const BrandFile = z.strictObject({
  ...brandFields,
  logo: z
    .strictObject({ file: z.string().min(1), ...logoFields })
    .nullable()
    .default(null),
})

const MailFile = z.strictObject({
  seller: lineField(200).nullable().default(null),
  messages: Messages,
})

/** Whoever sets these has asked counsel: the shop's words are drafts. */
const LawFile = z.strictObject({
  countries: z
    .record(
      z.string().regex(/^[A-Z]{2}$/, "must be a country code, for example DE"),
      z.strictObject({
        orderButton: z.boolean().default(false),
        startAtOnce: z.boolean().default(false),
        withdrawalDays: z.int().min(1).max(365).nullable().default(null),
      }),
    )
    .default({}),
  words: z
    .strictObject({
      orderButton: textField(40).default({}),
      consent: textField(400).default({}),
      acknowledgement: textField(400).default({}),
    })
    .default({ orderButton: {}, consent: {}, acknowledgement: {} }),
})

const LegalFile = z.strictObject({
  ...legalFields,
  tax: textField(120).default({}),
  law: LawFile.default(noLaw),
})

/** The beginning of the numbers of a kind of document: characters that are safe in addresses and the names of files. */
const NumberPrefix = z
  .string()
  .regex(/^[A-Za-z0-9-]{0,20}$/, "must be at most 20 letters, digits and hyphens")

/** How invoices and credit notes are numbered, and whose they are. */
const DocumentsFile = z
  .strictObject({
    invoicePrefix: NumberPrefix.default(""),
    creditNotePrefix: NumberPrefix.default("CN-"),
    seller: z.strictObject(documentSellerFields).prefault({}),
  })
  .refine(({ invoicePrefix, creditNotePrefix }) => invoicePrefix !== creditNotePrefix, {
    path: ["creditNotePrefix"],
    message: "must differ from invoicePrefix",
  })

const ShopFile = z.object({
  brand: BrandFile.default(BrandFile.parse({})),
  mail: MailFile.default(MailFile.parse({})),
  legal: LegalFile.default(LegalFile.parse({})),
  tax: TaxFile.optional(),
  documents: DocumentsFile.default(DocumentsFile.parse({})),
  methods: Methods.default({}),
  setup: Setup.default({}),
  links: z.object(linkFields).prefault({}),
  apps: z.array(z.object(appFields)).default([]),
})

/** Where unknown fields are found without stopping the start: a file from before they were looked for still opens the shop. */
const KnownFields = z.strictObject({
  ...ShopFile.shape,
  links: z.strictObject(linkFields).prefault({}),
  apps: z.array(z.strictObject(appFields)).default([]),
})

export type ShopFile = {
  readonly brand: Brand
  readonly logo: LogoFile | null
  readonly links: ShopLinks
  readonly apps: readonly PlayerApp[]
  readonly mail: MailTexts
  readonly legal: Legal
  /** How the shop taxes, until operators change it in the console; null: it does not. */
  readonly tax: TaxFile | null
  readonly documents: DocumentSettings
  readonly methods: MethodDescriptions
  readonly setup: SetupSteps
}

/** Brand, help links and players, from the operator's shop file or the demo data. Throws if the file is invalid. */
export function readShopFile(path: string | undefined): ShopFile {
  const name = path ?? "demo-shop.json"
  const text = path === undefined ? demonstration : readSettingFile("SHOP_FILE", path).toString("utf8")
  const parsed = ShopFile.safeParse(json(text, name))
  if (!parsed.success) throw new Error(`Invalid SHOP_FILE ${name}:\n${z.prettifyError(parsed.error)}`)
  const { brand, ...rest } = parsed.data
  const { logo, ...appearance } = brand
  const seller = rest.legal.seller ?? rest.mail.seller
  // The logo's path is relative to the shop file.
  return {
    brand: appearance,
    logo: logo && readLogo(resolve(dirname(name), logo.file), logo),
    links: rest.links,
    apps: rest.apps,
    methods: rest.methods,
    tax: rest.tax ?? null,
    documents: documentsIn(rest.documents, rest.tax?.country ?? UNKNOWN_COUNTRY),
    setup: rest.setup,
    // The seller is the same on pages and in messages; the file may name it in either place.
    legal: {
      seller,
      terms: rest.legal.terms,
      privacy: rest.legal.privacy,
      refunds: rest.legal.refunds,
      tax: rest.legal.tax,
      law: rest.legal.law,
    },
    mail: { seller, messages: rest.mail.messages },
  }
}

/** The places of fields that a valid shop file has and the shop does not know, such as "taxes" or "links.suport": they are ignored. */
export function unknownShopFields(path: string | undefined): readonly string[] {
  if (path === undefined) return []
  const parsed = KnownFields.safeParse(json(readSettingFile("SHOP_FILE", path).toString("utf8"), path))
  const issues = parsed.error?.issues ?? []
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key].join(".")) : [],
  )
}

type ShopFileFields =
  /** `typed`: what the file names; `fields`: with what holds without it. */
  | { readonly ok: true; readonly typed: unknown; readonly fields: unknown }
  | { readonly ok: false; readonly problem: string }

/** The fields of a shop file by their names; without a text, those of the demo data. */
export function shopFileFields(text = demonstration): ShopFileFields {
  try {
    const typed = json(text, "")
    const parsed = ShopFile.safeParse(typed)
    return parsed.success
      ? { ok: true, typed, fields: parsed.data }
      : { ok: false, problem: z.prettifyError(parsed.error) }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
}

function documentsIn(
  { invoicePrefix, creditNotePrefix, seller }: z.output<typeof DocumentsFile>,
  country: Country,
): DocumentSettings {
  return {
    seller: { ...seller, country },
    prefixes: { invoice: invoicePrefix, "credit-note": creditNotePrefix },
  }
}

function json(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`Invalid SHOP_FILE ${name}: not JSON`, { cause })
  }
}
