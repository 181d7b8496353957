import { z } from "zod"
import { cycles } from "~/domain/billing-cycle"
import type { ConfigOption, PriceTable } from "~/domain/catalogue"
import { currencies, fromDecimal, money, toDecimal } from "~/domain/money"

/** Parts of the catalogue file. The `products` table stores prices and options as JSON in the same format. */
export const Id = z.string("is missing").regex(/^[\w-]{1,64}$/, 'is not an id such as "1"')
export const Name = z.string("is missing").trim().min(1, "is empty").max(100, "is longer than 100 characters")

export const Decimal = z
  .string('is not a number in quotation marks, such as "79.00"')
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'is not a number such as "79.00"')

/** Minor units. Every supported currency has two decimals, so parsing as EUR is correct for all. */
const Price = Decimal.transform((decimal) => fromDecimal(decimal, "EUR").minor)

export const CurrencyCode = z.enum(currencies, `is not one of ${currencies.join(", ")}`)

/** Prices per currency per cycle: `{ "EUR": { "monthly": "12.00" } }`. */
export const Pricing: z.ZodType<PriceTable> = z.partialRecord(
  z.enum(currencies),
  z.partialRecord(z.enum(cycles), Price, { error: keyOneOf(cycles) }),
  { error: keyOneOf(currencies) },
)

const Choice = z.strictObject({ id: Id, name: Name, pricing: Pricing })

/** Configuration option with its choices, which the file calls `options`. */
export const Option: z.ZodType<ConfigOption> = z
  .strictObject({ id: Id, name: Name, options: z.array(Choice).min(1, "has no option to choose") })
  .transform(({ options, ...option }) => ({ ...option, choices: options }))

export const Field = z.strictObject({ id: Id, name: Name })

function keyOneOf(names: readonly string[]) {
  return (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys"
      ? `names ${issue.keys.join(", ")}, which is not one of ${names.join(", ")}`
      : "is not a list of prices"
}

/** Serializes prices in the format of the catalogue file. */
export function serializePricing(pricing: PriceTable): Record<string, Record<string, string>> {
  return mapValues(pricing, (prices) => mapValues(prices, (minor) => toDecimal(money(minor, "EUR"))))
}

/** Serializes a configuration option in the format of the catalogue file. */
export function serializeOption({ id, name, choices }: ConfigOption) {
  const options = choices.map((choice) => ({ ...choice, pricing: serializePricing(choice.pricing) }))
  return { id, name, options }
}

function mapValues<V, W>(
  table: { readonly [key: string]: V | undefined },
  convert: (value: V) => W,
): Record<string, W> {
  const entries = Object.entries(table).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, convert(value)] as const],
  )
  return Object.fromEntries(entries)
}
