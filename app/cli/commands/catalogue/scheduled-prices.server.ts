import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { jsonTime, time } from "~/cli/format"
import { reasonIn } from "~/cli/reason"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { Product } from "~/domain/catalogue/catalogue"
import { localInstant } from "~/domain/local-time"
import { currencies, money, toDecimal } from "~/domain/money/money"
import { ADMIN_CLI } from "~/domain/operators/operator"
import { type ScheduleProblem, saveCatalogue } from "~/flows/admin/catalogue/manage-catalogue.server"
import {
  priceNameText,
  pricesSold,
  type ShownSchedule,
  schedulesOf,
  withoutSchedule,
  withSchedule,
} from "~/flows/admin/catalogue/schedule-prices.server"
import { madeBy, savedResult } from "../version-commands.server"
import { catalogueOf, wording } from "./catalogue-versions.server"

export const scheduledPrices: Command = {
  about: "list prices that new orders will have, the next one first",
  args: [],
  options: { product: "only those of this product and its options" },
  async run(call) {
    const { products } = await catalogueOf(call).present()
    const { product } = call.options
    const listed = products
      .filter(({ id }) => product === undefined || id === product)
      .flatMap((it) => schedulesOf(it).map((schedule) => ({ ...schedule, product: it.id })))
      .toSorted((one, other) => one.from - other.from)
    return {
      text: listed.map(lineOf).join("\n") || "No price is scheduled.",
      data: { prices: listed.map(jsonOf) },
    }
  },
}

type Listed = ShownSchedule & { readonly product: string }

function lineOf({ product, text, price, currency, from, author, reason }: Listed): string {
  const amount = toDecimal(money(price, currency))
  return [`${time(from)} UTC`, `product ${product}`, `${text} ${amount}`, author, reason]
    .filter((it) => it !== null)
    .join("  ")
}

function jsonOf({ product, choice, currency, cycle, price, from, author, at, reason }: Listed) {
  return {
    product,
    choice: choice || null,
    currency,
    cycle,
    price: toDecimal(money(price, currency)),
    from: jsonTime(from),
    author,
    at: at === null ? null : jsonTime(at),
    reason,
  }
}

const WHICH = {
  from: "first moment, such as 2027-03-01 or 2027-03-01T18:00 in TIME_ZONE",
  cycle: `billing cycle: ${cycles.join(", ")}; needed if the product has several`,
  currency: "currency of the price; CURRENCY without it",
  choice: "a choice of an option, such as 2/1, instead of the product itself",
  reason: "why, for the audit log and the versions",
} as const

export const schedulePrice: Command = {
  about: "set a price that new orders of a product have from a time on",
  args: ["ID"],
  options: { price: "price of one cycle, such as 12.00", ...WHICH },
  required: ["price", "from", "reason"],
  audit: ({ args: [id = ""] }) => ({ action: "schedule-price", subject: `product ${id}` }),
  async run(call) {
    const { catalogue, present, product, of } = await meant(call)
    const { price = "", from = "" } = call.options
    const scheduling = {
      product,
      content: present.content,
      at: call.now,
      timeZone: call.config.TIME_ZONE,
      author: ADMIN_CLI,
      reason: reasonIn(call.options.reason),
    }
    const to = withSchedule(scheduling, { of, price, from })
    if (typeof to === "string") throw problemOf(to)
    const saved = (version: number) => `The price is scheduled, by version ${version}.`
    const outcome = await saveCatalogue(catalogue, to, madeBy(call, present.latest))
    return savedResult(outcome, call, { ...wording, saved })
  },
}

export const unschedulePrice: Command = {
  about: "take a scheduled price back before it is in force",
  args: ["ID"],
  options: WHICH,
  required: ["from", "reason"],
  audit: ({ args: [id = ""] }) => ({ action: "unschedule-price", subject: `product ${id}` }),
  async run(call) {
    const { catalogue, present, product, of } = await meant(call)
    const from = localInstant(call.options.from ?? "", call.config.TIME_ZONE)
    if (from === null) throw problemOf("time-invalid")
    const to = withoutSchedule(present.content, product, { of, from })
    if (typeof to === "string") throw problemOf(to)
    const saved = (version: number) => `The price is taken back, by version ${version}.`
    const outcome = await saveCatalogue(catalogue, to, madeBy(call, present.latest))
    return savedResult(outcome, call, { ...wording, saved })
  },
}

/** The catalogue, the product that is named, and how a form names its price. */
async function meant(call: Call) {
  const catalogue = catalogueOf(call)
  const present = await catalogue.present()
  const [pid = ""] = call.args
  const product = present.products.find(({ id }) => id === pid)
  if (!product) throw new CommandError(`Product "${pid}" not found.`)
  return { catalogue, present, product, of: priceIn(call, product) }
}

function priceIn({ options, config }: Call, product: Product): string {
  const { choice = "", cycle } = options
  const code = options.currency ?? config.CURRENCY
  const currency = currencies.find((it) => it === code)
  if (!currency) throw new UsageError(`Unknown currency "${code}". Valid: ${currencies.join(", ")}.`)
  const found = pricesSold(product).filter(
    (it) => it.choice === choice && it.currency === currency && (cycle === undefined || it.cycle === cycle),
  )
  const [first] = found
  if (!first) throw problemOf("price-unknown")
  if (found.length > 1) throw new UsageError(`Name the billing cycle by --cycle: ${cycles.join(", ")}.`)
  return priceNameText(first)
}

function problemOf(problem: ScheduleProblem): CommandError {
  const message = problems[problem]
  return usage.includes(problem) ? new UsageError(message) : new CommandError(message)
}

const usage: readonly ScheduleProblem[] = ["amount-invalid", "time-invalid"]

const problems: Readonly<Record<ScheduleProblem, string>> = {
  "price-unknown": "The product is not sold at such a price. What it costs: catalogue export.",
  "amount-invalid": "Invalid --price: must be like 12.00.",
  "time-invalid": "Invalid --from: must be like 2027-03-01 or 2027-03-01T18:00.",
  "time-passed": "--from must be ahead. A price that holds at once is changed by catalogue import.",
  "scheduled-already":
    "Another price is scheduled for that time. Take it back first: catalogue unschedule-price.",
  "not-scheduled": "No such price is ahead: it is in force, or was taken back.",
}
