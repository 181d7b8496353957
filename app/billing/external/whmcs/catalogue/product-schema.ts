import { z } from "zod"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { Amount, Id, isRecord, listOf, MaybeId, Text, TextField, Whole } from "../client/response-schema"

const columns = [
  ...cycles,
  "msetupfee",
  "qsetupfee",
  "ssetupfee",
  "asetupfee",
  "bsetupfee",
  "tsetupfee",
] as const

/** Minor units by column; null if missing. Negative: not offered. */
const Columns = z.object(Object.fromEntries(columns.map((column) => [column, Amount])))

/** By currency code. For a product without prices, WHMCS sends `""` or an empty list. */
const Pricing = z
  .unknown()
  .optional()
  .transform((pricing) => (isRecord(pricing) ? pricing : {}))
  .pipe(z.record(z.string(), Columns))

/** Ordered as a choice id (`dropdown`, `radio`), 1 (`yesno`) or a number (`quantity`). */
const optionTypes = { "1": "dropdown", "2": "radio", "3": "yesno", "4": "quantity" } as const

const OptionKind = Text.transform((type) => {
  const name = type.toLowerCase()
  const byNumber = Object.entries(optionTypes).find(([number]) => number === name)?.[1]
  return byNumber ?? Object.values(optionTypes).find((it) => it === name) ?? "dropdown"
})

const ChoiceShape = z.object({ id: Id, name: TextField, pricing: Pricing })

const OptionShape = z.object({
  id: Id,
  name: TextField,
  type: OptionKind,
  minqty: Whole,
  maxqty: Whole,
  options: listOf("option", ChoiceShape),
})

const FieldShape = z.object({ id: Id, name: TextField })

/** A product of GetProducts, see https://developers.whmcs.com/api-reference/getproducts/. */
export const ProductShape = z.object({
  pid: Id,
  gid: MaybeId,
  name: TextField,
  module: TextField,
  paytype: Text.transform((type) => type.toLowerCase()),
  pricing: Pricing,
  customfields: listOf("customfield", FieldShape),
  configoptions: listOf("configoption", OptionShape),
})

export type WhmcsProduct = z.output<typeof ProductShape>
export type WhmcsConfigOption = WhmcsProduct["configoptions"][number]
export type WhmcsPriceColumns = WhmcsProduct["pricing"][string]
