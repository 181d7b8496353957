import { z } from "zod"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { ConfigOption, PriceTable, ScheduledPrice } from "~/domain/catalogue/catalogue"
import { currencies, fromDecimal, money, toDecimal } from "~/domain/money/money"

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

const Time = z.iso
  .datetime({ offset: true, error: 'is not a time such as "2027-01-01T00:00:00Z"' })
  .transform((time) => Date.parse(time))

/** Prices from an instant on: `{ "from": "2027-01-01T00:00:00Z", "currency": "EUR", "cycle": "monthly", "price": "14.00" }`. */
export const ScheduledPrices = z.array(
  z
    .strictObject({
      from: Time,
      currency: CurrencyCode,
      cycle: z.enum(cycles, `is not one of ${cycles.join(", ")}`),
      price: Price,
      author: z.string().optional(),
      at: Time.optional(),
      reason: z.string().optional(),
    })
    .transform(
      ({ author = null, at = null, reason = null, ...it }): ScheduledPrice => ({ ...it, author, at, reason }),
    ),
)

const Choice = z
  .strictObject({ id: Id, name: Name, pricing: Pricing, scheduled_prices: ScheduledPrices.optional() })
  .transform(({ scheduled_prices, ...choice }) => ({ ...choice, ...scheduledFrom(scheduled_prices) }))

/** The field of something that is priced; a product without scheduled prices has none. */
export function scheduledFrom(scheduledPrices: readonly ScheduledPrice[] | undefined) {
  return scheduledPrices !== undefined && scheduledPrices.length > 0 ? { scheduledPrices } : {}
}

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
  const options = choices.map(({ scheduledPrices, ...choice }) => ({
    ...choice,
    pricing: serializePricing(choice.pricing),
    ...scheduledField(scheduledPrices),
  }))
  return { id, name, options }
}

/** The field of the catalogue file with scheduled prices, if there are any. */
export function scheduledField(scheduledPrices: readonly ScheduledPrice[] = []): {
  scheduled_prices?: ReturnType<typeof serializeScheduled>[]
} {
  return scheduledPrices.length === 0 ? {} : { scheduled_prices: scheduledPrices.map(serializeScheduled) }
}

function serializeScheduled({ from, currency, cycle, price, author, at, reason }: ScheduledPrice) {
  return {
    from: timeText(from),
    currency,
    cycle,
    price: toDecimal(money(price, currency)),
    ...(author !== null && { author }),
    ...(at !== null && { at: timeText(at) }),
    ...(reason !== null && { reason }),
  }
}

const timeText = (at: number) => new Date(at).toISOString()

function mapValues<V, W>(
  table: { readonly [key: string]: V | undefined },
  convert: (value: V) => W,
): Record<string, W> {
  const entries = Object.entries(table).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, convert(value)] as const],
  )
  return Object.fromEntries(entries)
}
