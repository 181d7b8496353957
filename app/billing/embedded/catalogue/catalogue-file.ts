import type { ConfigOption, CustomField, Product, ProductKind } from "~/domain/catalogue"
import { type CatalogueFileContents, CatalogueShape, type PlanEntry } from "./catalogue-file-schema"
import { serializeOption, serializePricing } from "./catalogue-schema"
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
  const read = CatalogueShape.safeParse(parseJson(text))
  if (!read.success) throw unusable(read.error.issues, { cause: read.error })
  const findings = findInconsistencies(read.data)
  if (findings.length > 0) throw unusable(findings)
  const { plans, resellerPlans, promotions } = read.data
  const products = [
    ...productsOf(plans, "plan", read.data),
    ...productsOf(resellerPlans, "reseller", read.data),
  ]
  return { products, promotions }
}

/** Serializes a catalogue as the text that `readCatalogueFile` parses. */
export function writeCatalogueFile({ products, promotions }: CatalogueFile): string {
  const planned = (kind: ProductKind) => products.filter((it) => it.kind === kind).map(serializePlan)
  const file = {
    plans: planned("plan"),
    resellerPlans: planned("reseller"),
    configoptions: onceEach(products.flatMap(({ options }) => options)).map(serializeOption),
    customfields: onceEach(products.flatMap(({ customFields }) => customFields)),
    promotions: promotions.map(serializePromotion),
  }
  return `${JSON.stringify(file, null, 2)}\n`
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
  }))
}

function named<T extends ConfigOption | CustomField>(ids: readonly string[], all: readonly T[]): T[] {
  return ids.flatMap((id) => all.filter((it) => it.id === id))
}

function serializePlan(product: Product) {
  const { id, name, payType, pricing, options, customFields, credits, renewalPrice, graceDays, trialHours } =
    product
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

function unusable(findings: readonly Inconsistency[], options?: ErrorOptions): InvalidCatalogueError {
  const lines = findings.map(({ path, message }) => `  ${path.join(".") || "the file"}: ${message}`)
  return new InvalidCatalogueError(`Invalid catalogue:\n${lines.join("\n")}`, options)
}
