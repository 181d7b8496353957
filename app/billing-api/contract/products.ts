import { z } from "zod"
import { type Cycle, cycles } from "~/domain/catalogue/billing-cycle"
import type { Choice, ConfigOption, CustomField, PriceTable, Product } from "~/domain/catalogue/catalogue"
import { type Currency, currencies, money, toDecimal } from "~/domain/money/money"

const Price = z.string().regex(/^(\d+\.\d\d|-1\.00)$/)
const Field = z.object({ id: z.string(), name: z.string() })

/** Prices by currency and billing cycle, in the format of WHMCS: -1.00 is not offered, 0.00 is free. */
const Pricing = z.partialRecord(z.enum(currencies), z.record(z.enum(cycles), Price))

const Option = z.object({
  id: z.string(),
  name: z.string(),
  type: z.literal("1").describe("Dropdown: an order sends the id of the choice"),
  options: z.object({
    option: z.array(z.object({ id: z.string(), name: z.string(), pricing: Pricing })),
  }),
})

const ProductSchema = z.object({
  pid: z.string(),
  kind: z.enum(["plan", "reseller"]),
  type: z.literal("other"),
  name: z.string(),
  paytype: z.enum(["recurring", "onetime"]),
  pricing: Pricing,
  customfields: z.object({ customfield: z.array(Field) }),
  configoptions: z.object({ configoption: z.array(Option) }),
  credits: z.number().int().optional().describe("Reseller credits included in the plan"),
})

export const ProductListSchema = z.object({
  result: z.literal("success"),
  totalresults: z.number().int(),
  products: z.object({ product: z.array(ProductSchema) }),
})

export const Fields = z.object({
  result: z.literal("success"),
  Username: z.string().describe("Custom field id for the username of a line"),
  Password: z.string().describe("Custom field id for the password of a line"),
  customfields: z.object({ customfield: z.array(Field) }),
})

export function toProductList(products: readonly Product[]): z.input<typeof ProductListSchema> {
  const product = products.map(goodOf)
  return { result: "success", totalresults: product.length, products: { product } }
}

function goodOf(product: Product): z.input<typeof ProductSchema> {
  const { id: pid, kind, name, payType: paytype, pricing, options, credits } = product
  return {
    pid,
    kind,
    type: "other",
    name,
    paytype,
    pricing: pricingOf(pricing),
    customfields: { customfield: product.customFields.map(({ id, name }) => ({ id, name })) },
    configoptions: { configoption: options.map(optionOf) },
    ...(credits !== undefined && { credits }),
  }
}

function optionOf({ id, name, choices }: ConfigOption): z.input<typeof Option> {
  return { id, name, type: "1", options: { option: choices.map(choiceOf) } }
}

function choiceOf({ id, name, pricing }: Choice) {
  return { id, name, pricing: pricingOf(pricing) }
}

/** Prices of a product, without currencies in which no cycle has a price. */
function pricingOf(table: PriceTable): z.input<typeof Pricing> {
  const sold = currencies.filter((currency) =>
    cycles.some((cycle) => priceIn(table, currency, cycle) !== null),
  )
  return Object.fromEntries(sold.map((currency) => [currency, columnsOf(table, currency)]))
}

function columnsOf(table: PriceTable, currency: Currency): Record<Cycle, string> {
  const column = (cycle: Cycle) => priceIn(table, currency, cycle) ?? "-1.00"
  return {
    monthly: column("monthly"),
    quarterly: column("quarterly"),
    semiannually: column("semiannually"),
    annually: column("annually"),
    biennially: column("biennially"),
    triennially: column("triennially"),
  }
}

function priceIn(table: PriceTable, currency: Currency, cycle: Cycle): string | null {
  const minor = table[currency]?.[cycle]
  return minor === undefined ? null : toDecimal(money(minor, currency))
}

/**
 * Custom fields of a product, including those for a line's credentials. Adds default fields `username` and `password`
 * if the product has none, since an order must be able to set the credentials.
 */
function accessFields({ customFields }: Pick<Product, "customFields">): readonly CustomField[] {
  const named = (pattern: RegExp) => customFields.some(({ name }) => pattern.test(name))
  return [
    ...customFields,
    ...(named(USERNAME) ? [] : [{ id: "username", name: "Username" }]),
    ...(named(PASSWORD) ? [] : [{ id: "password", name: "Password" }]),
  ]
}

const USERNAME = /user/i
const PASSWORD = /pass/i

export function fieldsOf(product: Pick<Product, "customFields">): z.input<typeof Fields> {
  const { username, password } = accessFieldIds(product)
  const customfield = accessFields(product).map(({ id, name }) => ({ id, name }))
  return { result: "success", Username: username, Password: password, customfields: { customfield } }
}

export function accessFieldIds(product: Pick<Product, "customFields">) {
  const fields = accessFields(product)
  const idOf = (pattern: RegExp) => fields.find(({ name }) => pattern.test(name))?.id ?? ""
  return { username: idOf(USERNAME), password: idOf(PASSWORD) }
}
