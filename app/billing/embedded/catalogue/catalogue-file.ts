import type { CatalogueContent } from "~/billing/catalogue/catalogue-admin"
import type { ConfigOption, CustomField, Product, ProductKind } from "~/domain/catalogue/catalogue"
import { type CatalogueFileContents, CatalogueShape, type PlanEntry } from "./catalogue-file-schema"
import { scheduledField, scheduledFrom, serializeOption, serializePricing } from "./catalogue-schema"
import { findInconsistencies, type Inconsistency } from "./catalogue-validation"
import { type PromotionDefinition, serializePromotion } from "./promotion-schema"

/** Contents of the catalogue file, which the operator exports and imports, as domain types. */
export type CatalogueFile = {
  readonly products: readonly Product[]
  readonly promotions: readonly PromotionDefinition[]
}

/** Invalid catalogue file. The message lists every path and its error, for the operator. */
export class InvalidCatalogueError extends Error {
  override name = "InvalidCatalogueError"
}

/** Parses the text of a catalogue file (JSON). Throws `InvalidCatalogueError`. */
export function readCatalogueFile(text: string): CatalogueFile {
  const checked = checkCatalogue(parseJson(text))
  if (checked.kind === "invalid") throw unusable(checked.flaws)
  return checked.catalogue
}

type CheckedFile =
  | { readonly kind: "valid"; readonly catalogue: CatalogueFile }
  | { readonly kind: "invalid"; readonly flaws: readonly Inconsistency[] }

/** Checks the contents of a catalogue file. */
export function checkCatalogue(contents: unknown): CheckedFile {
  const read = CatalogueShape.safeParse(contents)
  if (!read.success) return { kind: "invalid", flaws: read.error.issues }
  const flaws = findInconsistencies(read.data)
  if (flaws.length > 0) return { kind: "invalid", flaws }
  const { plans, resellerPlans, promotions } = read.data
  const products = [
    ...productsOf(plans, "plan", read.data),
    ...productsOf(resellerPlans, "reseller", read.data),
  ]
  return { kind: "valid", catalogue: { products, promotions } }
}

/** The products of a stored version. */
export function readContent(content: unknown): readonly Product[] {
  const checked = checkCatalogue(content)
  if (checked.kind === "invalid") throw unusable(checked.flaws)
  return checked.catalogue.products
}

/** Serializes a catalogue as the text that `readCatalogueFile` parses. */
export function writeCatalogueFile({ products, promotions }: CatalogueFile): string {
  const file = { ...contentOf(products), promotions: promotions.map(serializePromotion) }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** The part of a catalogue file that has the products. */
export function contentOf(products: readonly Product[]): CatalogueContent {
  const planned = (kind: ProductKind) => products.filter((it) => it.kind === kind).map(serializePlan)
  // Only a product with both extras says which of them comes first.
  const byOptions = products.toSorted((one, other) => other.options.length - one.options.length)
  return {
    plans: planned("plan"),
    resellerPlans: planned("reseller"),
    configoptions: onceEach(byOptions.flatMap(({ options }) => options)).map(serializeOption),
    customfields: onceEach(products.flatMap(({ customFields }) => customFields)),
  }
}

function productsOf(plans: readonly PlanEntry[], kind: ProductKind, file: CatalogueFileContents): Product[] {
  return plans.map(({ pid, name, paytype, pricing, credits, ...plan }) => ({
    id: pid,
    kind,
    name,
    payType: paytype,
    pricing,
    options: named(plan.configoptions, file.configoptions),
    customFields: named(plan.customfields, file.customfields),
    ...(credits !== undefined && { credits }),
    ...(plan.renewal_price !== undefined && { renewalPrice: plan.renewal_price }),
    ...(plan.grace_days !== undefined && { graceDays: plan.grace_days }),
    ...(plan.trial !== undefined && { trialHours: plan.trial.hours }),
    ...(plan.hidden && { isHidden: true }),
    ...scheduledFrom(plan.scheduled_prices),
  }))
}

function named<T extends ConfigOption | CustomField>(ids: readonly string[], all: readonly T[]): T[] {
  return ids.flatMap((id) => all.filter((it) => it.id === id))
}

function serializePlan(product: Product) {
  const { id, name, payType, pricing, options, customFields } = product
  const { credits, renewalPrice, graceDays, trialHours, isHidden } = product
  return {
    pid: id,
    name,
    paytype: payType,
    pricing: serializePricing(pricing),
    configoptions: options.map((option) => option.id),
    customfields: customFields.map((field) => field.id),
    ...(credits !== undefined && { credits }),
    ...(renewalPrice !== undefined && { renewal_price: renewalPrice }),
    ...(graceDays !== undefined && { grace_days: graceDays }),
    ...(trialHours !== undefined && { trial: { hours: trialHours } }),
    ...(isHidden && { hidden: true }),
    ...scheduledField(product.scheduledPrices),
  }
}

function onceEach<T extends { readonly id: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((it) => [it.id, it])).values()]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new InvalidCatalogueError(`Invalid catalogue: not JSON: ${why}`, { cause: error })
  }
}

function unusable(findings: readonly Inconsistency[]): InvalidCatalogueError {
  const lines = findings.map(({ path, message }) => `  ${path.join(".") || "the file"}: ${message}`)
  return new InvalidCatalogueError(`Invalid catalogue:\n${lines.join("\n")}`)
}
