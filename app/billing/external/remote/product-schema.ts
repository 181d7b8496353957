import { z } from "zod"
import { cycles } from "~/domain/billing-cycle"
import type { Choice, ConfigOption, PriceTable, Product, ProductKind } from "~/domain/catalogue"
import { currencies, fromDecimal } from "~/domain/money"
import { listOf, Name, required, Words } from "./lenient-schema"

/** A price in hundredths; below zero the cycle is not offered. */
const Price = Words.pipe(z.string().regex(/^-?\d{1,9}(\.\d{1,2}0*)?$/, "is not an amount")).transform(
  (text) => fromDecimal(text, "EUR").minor,
)

/** Prices by currency and cycle; what is told beside them (signs, set-up fees, other currencies) is not read. */
const Pricing = z
  .record(z.string(), z.unknown())
  .catch({})
  .transform((said): PriceTable => {
    const tables = currencies.map((currency) => [currency, tableOf(said[currency])] as const)
    return Object.fromEntries(tables.filter(([, table]) => Object.keys(table).length > 0))
  })

function tableOf(said: unknown): Record<string, number> {
  const told = z.record(z.string(), z.unknown()).safeParse(said).data ?? {}
  const prices = cycles.map((cycle) => [cycle, Price.safeParse(told[cycle]).data ?? -1] as const)
  return Object.fromEntries(prices.filter(([, minor]) => minor >= 0))
}

const OptionChoice: z.ZodType<Choice> = z.object({ id: Name, name: Words, pricing: Pricing })

const Option = z.object({
  id: Name,
  name: Words,
  /** 1 and 2: one of a list, 3: yes or no, 4: how many (reference: WHMCS, GetProducts). */
  type: Words,
  options: listOf("option", OptionChoice),
})

export const RemoteProduct = z.object({
  pid: Name,
  name: Words,
  paytype: Words,
  pricing: Pricing,
  configoptions: listOf("configoption", Option),
  customfields: listOf("customfield", z.object({ id: Name, name: Words })),
  /** An extra: lines a reseller may make with it. */
  credits: z.coerce.number().int().nonnegative().optional().catch(undefined),
})
export type RemoteProduct = z.output<typeof RemoteProduct>

export const GoodsList = z
  .object({ products: required(listOf("product", RemoteProduct)) })
  .transform((it) => it.products)

/** One of them, alone or as a list of one. */
export const OneOfGoods = z.union([GoodsList.transform(([first]) => first ?? null), RemoteProduct])

export function productOf(goods: RemoteProduct, kind: ProductKind, credits: number | undefined): Product {
  const { pid: id, name, pricing, customfields: customFields } = goods
  const options = goods.configoptions.map(optionOf)
  const payType = goods.paytype === "recurring" ? "recurring" : "onetime"
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

/** What an order says for a choice: how many of it, that it is wanted, or which one it is. */
export function chosenValue(goods: RemoteProduct | null, optionId: string, choiceId: string): string {
  const type = goods?.configoptions.find(({ id }) => id === optionId)?.type ?? ""
  return type === "3" || type === "4" ? "1" : choiceId
}
