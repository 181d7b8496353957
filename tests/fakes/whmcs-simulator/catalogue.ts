import { readFileSync } from "node:fs"
import { readCatalogueFile } from "~/billing/embedded/catalogue/catalogue-file"
import type { ConfigOption, CustomField, PriceTable, Product } from "~/domain/catalogue/catalogue"
import type { Promotion } from "~/domain/catalogue/promotion"
import type { CatalogueFixture } from "../../contracts/billing/billing-fixtures"
import { NO_DAY } from "./clock"
import type { PromotionRow } from "./state"

/** A configurable option: dropdown (1), yes/no (3) or quantity (4). */
export type Option = ConfigOption & { readonly type: "1" | "3" | "4" }

/** A product as configured in WHMCS. */
export type Item = Omit<Product, "options" | "customFields"> & {
  readonly gid: 1 | 2
  readonly module: string
  readonly options: readonly Option[]
  readonly fields: readonly (CustomField & { readonly onOrderForm: boolean })[]
  readonly setupFees: PriceTable
}

export type ItemSettings = {
  readonly module: string
  /** Custom fields of every product, in addition to those of the catalogue. */
  readonly fieldNames: readonly string[]
  /** `listed`: fields that the catalogue does not have are for staff only, and GetProducts omits them. */
  readonly fieldsOnOrderForm: "listed" | "all"
  readonly setupFees: Readonly<Record<string, PriceTable>>
}

/** Id of the first product group; reseller plans are in the second. */
export const PLANS_GROUP = 1
export const RESELLER_GROUP = 2

const demonstration = new URL("../../../app/billing/embedded/catalogue/demo-catalogue.json", import.meta.url)

/** The shop's demo catalogue. */
export function demoCatalogue(): CatalogueFixture {
  const { products, promotions } = readCatalogueFile(readFileSync(demonstration, "utf8"))
  return { products, promotions: promotions.map(({ maxUses, ...it }) => ({ ...it, remainingUses: maxUses })) }
}

/** Maps domain products to WHMCS products: quantity options first, then yes/no options or dropdowns. */
export function itemsOf({ products }: CatalogueFixture, settings: ItemSettings): readonly Item[] {
  const extra = extraFields(products, settings)
  return products.map(({ options, customFields, ...product }) => ({
    ...product,
    gid: product.kind === "plan" ? PLANS_GROUP : RESELLER_GROUP,
    module: settings.module,
    options: options.map((option, index) => ({ ...option, type: typeOf(option, index) })),
    fields: [
      ...customFields.map((field) => ({ ...field, onOrderForm: true })),
      ...extra
        .filter(({ name }) => !customFields.some((field) => field.name === name))
        .map((field) => ({ ...field, onOrderForm: settings.fieldsOnOrderForm === "all" })),
    ],
    setupFees: settings.setupFees[product.id] ?? {},
  }))
}

/** Custom fields by name: with the catalogue's id if the catalogue has the name, otherwise with the next free id. */
function extraFields(products: readonly Product[], { fieldNames }: ItemSettings): readonly CustomField[] {
  const fields: CustomField[] = products.flatMap(({ customFields }) => customFields)
  return fieldNames.map((name) => {
    const last = Math.max(0, ...fields.map(({ id }) => Number(id)))
    const field = { id: fields.find((it) => it.name === name)?.id ?? String(last + 1), name }
    fields.push(field)
    return field
  })
}

function typeOf({ choices }: ConfigOption, index: number): Option["type"] {
  if (index === 0) return "4"
  return choices.length === 1 ? "3" : "1"
}

export function promotionRow(promotion: Promotion, index: number): PromotionRow {
  const { discount } = promotion
  return {
    id: index + 1,
    code: promotion.code,
    type: discount.kind === "percentage" ? "Percentage" : "Fixed Amount",
    value: discount.kind === "percentage" ? discount.basisPoints : discount.amount.minor,
    recurring: false,
    cycles: [],
    appliesTo: promotion.productIds,
    starts: promotion.startsOn ?? NO_DAY,
    expires: promotion.endsOn ?? NO_DAY,
    maxUses: promotion.remainingUses ?? 0,
    uses: 0,
  }
}
