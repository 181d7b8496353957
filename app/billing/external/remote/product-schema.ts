import { z } from "zod"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { Choice, ConfigOption, PriceTable, Product, ProductKind } from "~/domain/catalogue/catalogue"
import { currencies, fromDecimal } from "~/domain/money/money"
import { listOf, Name, required, TextField } from "./lenient-schema"

/** A price in minor units; a negative one means that the cycle is not offered. */
const Price = TextField.pipe(z.string().regex(/^-?\d{1,9}(\.\d{1,2}0*)?$/, "is not an amount")).transform(
  (text) => fromDecimal(text, "EUR").minor,
)

/** Prices by currency and cycle. Currency signs, set-up fees and other currencies are ignored. */
const Pricing = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((pricing): PriceTable => {
    const tables = currencies.map((currency) => [currency, tableOf(pricing[currency])] as const)
    return Object.fromEntries(tables.filter(([, table]) => Object.keys(table).length > 0))
  })

function tableOf(value: unknown): Record<string, number> {
  const byCycle = z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
  const prices = cycles.map((cycle) => [cycle, Price.safeParse(byCycle[cycle]).data ?? -1] as const)
  return Object.fromEntries(prices.filter(([, minor]) => minor >= 0))
}

const OptionChoice: z.ZodType<Choice> = z.object({ id: Name, name: TextField, pricing: Pricing })

const Option = z.object({
  id: Name,
  name: TextField,
  /** 1 and 2: one of a list, 3: yes or no, 4: quantity (WHMCS API: GetProducts). */
  type: TextField,
  options: listOf("option", OptionChoice),
})

export const RemoteProduct = z.object({
  pid: Name,
  name: TextField,
  paytype: TextField,
  pricing: Pricing,
  configoptions: listOf("configoption", Option),
  customfields: listOf("customfield", z.object({ id: Name, name: TextField })),
  /** Extra: credits of a reseller plan. Null or an empty text says nothing of them, and not that there are none. */
  credits: TextField.pipe(z.string().regex(/^\d{1,9}(\.0+)?$/))
    .transform(Number)
    .optional()
    .catch(undefined),
})
export type RemoteProduct = z.output<typeof RemoteProduct>

export const ProductList = z
  .object({ products: required(listOf("product", RemoteProduct)) })
  .transform((it) => it.products)

/** A product, alone or as a list of one. */
export const SingleProduct = z.union([ProductList.transform(([first]) => first ?? null), RemoteProduct])

export function productOf(product: RemoteProduct, kind: ProductKind, credits: number | undefined): Product {
  const { pid: id, name, pricing, customfields: customFields } = product
  const options = product.configoptions.map(optionOf)
  const payType = product.paytype === "recurring" ? "recurring" : "onetime"
  return {
    id,
    kind,
    name,
    payType,
    pricing,
    options,
    customFields,
    ...(credits !== undefined && { credits }),
  }
}

function optionOf({ id, name, options: choices }: z.output<typeof Option>): ConfigOption {
  return { id, name, choices }
}

/** Value of an option in an order: 1 for yes (type 3) and for quantity (type 4), otherwise the id of the choice. */
export function chosenValue(product: RemoteProduct | null, optionId: string, choiceId: string): string {
  const type = product?.configoptions.find(({ id }) => id === optionId)?.type ?? ""
  return type === "3" || type === "4" ? "1" : choiceId
}
