import type { NewPriceMoveRun, PriceMoveEnd, PriceMoveRun } from "~/billing/services/price-moves"
import type { MovedServices, PriceMove, PriceMoveCount, PriceReturn } from "~/billing/services/service-admin"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { counted, jsonTime, time } from "~/cli/format"
import { reasonIn } from "~/cli/reason"
import type { Instant } from "~/domain/calendar"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { localInstant } from "~/domain/local-time"
import { type Currency, currencies, type Money, toDecimal } from "~/domain/money/money"
import { typedRenewalPrice } from "~/domain/money/typed-amount"
import { ADMIN_CLI } from "~/domain/operators/operator"
import { PRICE_NOTICE } from "~/domain/services/renewal"
import { announcementIn, returnIn } from "~/flows/admin/catalogue/move-prices.server"
import { newId } from "~/wiring/new-id.server"
import { moveOnePrice } from "./service-commands.server"

const WHICH = {
  product: "all services of this product",
  cycle: `billing cycle of these services: ${cycles.join(", ")}; needed if the product has several`,
  currency: "currency of the services; CURRENCY without it",
  from: "first day of the price, such as 2027-03-01 in TIME_ZONE",
  reason: "why, for the timeline",
} as const

export const movePrice: Command = {
  about: "announce another renewal price from a day on, with a message: for a product, or for one service",
  args: [],
  optionalArg: "NUMBER",
  options: {
    price: "price of one cycle, such as 12.00: of the plan without extras; of one service with them",
    ...WHICH,
  },
  required: ["price", "from", "reason"],
  flags: { confirm: "do it; without it the services are counted" },
  audit: ({ args: [number], options, flags }) =>
    flags.includes("confirm")
      ? {
          action: "move-price",
          subject: number === undefined ? `services of ${options.product}` : `service ${number}`,
        }
      : null,
  async run(call) {
    const { billing, flags, now } = call
    const { currency, ...kept } = await meant(call)
    if ("productId" in kept.services) await refuseUnrenewed(call, kept.services.productId)
    const move = { ...kept, price: priceIn(call, currency) }
    if (move.from < now + PRICE_NOTICE)
      throw new CommandError("--from must be at least 30 days ahead: customers get that much notice.")
    const isDone = flags.includes("confirm")
    const { services, unpriced, isCut, problem } = isDone
      ? await moved(call, move)
      : { ...(await billing.operator.countPriceMove(move)), problem: null }
    if (problem !== null)
      throw new CommandError(
        `Announced for ${counted(services, "service")}, then ended: ${problems[problem]}.`,
      )
    const left =
      unpriced > 0
        ? ` Not for ${counted(unpriced, "service")}: the catalogue has no price for the extras.`
        : ""
    const rest = isDone ? "" : " Repeat it with --confirm to announce it."
    const count = `${isCut ? "more than " : ""}${counted(services, "service")}`
    return {
      text: `Another price from ${time(move.from)} UTC ${isDone ? "is" : "would be"} announced for ${count}.${left}${rest}`,
      data: { services, unpriced, from: jsonTime(move.from), isDone },
    }
  },
}

/** Throws a `CommandError` for a plan without renewals: it has no service with a price to announce. */
async function refuseUnrenewed({ billing }: Call, productId: string): Promise<void> {
  const product = (await billing.billing.plans()).find(({ id }) => id === productId)
  if (product?.renewalPrice === "none")
    throw new CommandError(
      `Product "${productId}" is not renewed (renewal_price none): its services have no price to announce.`,
    )
}

type Moved = PriceMoveCount & { readonly isCut: false; readonly problem: PriceMoveEnd | null }

/**
 * One service by the flow of the console. Those of a product by the run that a form of the console begins.
 */
async function moved(call: Call, { services, ...move }: PriceMove): Promise<Moved> {
  const { options, now } = call
  if ("serviceId" in services) {
    const isMoved = await moveOnePrice(call, { price: toDecimal(move.price), from: options.from ?? "" })
    return { services: isMoved ? 1 : 0, unpriced: 0, isCut: false, problem: null }
  }
  const run = await untilEnd(call, announcementIn({ services, ...move }, begunAt(now)))
  return { services: run.services, unpriced: run.unpriced, isCut: false, problem: run.problem }
}

const begunAt = (at: Instant) => ({ id: newId(), operatorId: null, operator: ADMIN_CLI, at })

/** Does the run itself; if the command is interrupted, a running shop goes on with it. */
async function untilEnd({ billing, now }: Call, begun: NewPriceMoveRun): Promise<PriceMoveRun> {
  await billing.priceMoves.begin(begun)
  while (await billing.priceMoves.goOn(begun.id, now));
  const run = await billing.priceMoves.find(begun.id)
  if (run === null) throw new Error(`Price move ${begun.id} is gone`)
  return run
}

const problems: Readonly<Record<PriceMoveEnd, string>> = {
  "day-too-near": "the others would get less than 30 days' notice; announce it to them from a later day",
  "no-mail": "the shop sends no mail any more",
  "not-allowed": "the operator may not do this any more",
  "taken-back": "the price was taken back",
  "day-come": "its day has come",
  "announced-again": "the price was announced again",
}

export const keepPrice: Command = {
  about: "take an announced price back before its day: for a product, or for one service",
  args: [],
  optionalArg: "NUMBER",
  options: WHICH,
  required: ["from", "reason"],
  audit: ({ args: [number], options }) => ({
    action: "keep-price",
    subject: number === undefined ? `services of ${options.product}` : `service ${number}`,
  }),
  async run(call) {
    const kept = await meant(call)
    const { services, problem } = await keptFor(call, kept)
    if (problem !== null)
      throw new CommandError(
        `The price is kept for ${counted(services, "service")}, then it ended: ${problems[problem]}.`,
      )
    const note =
      services > 0
        ? "Their pages no longer announce another one. No second message is sent to customers who were notified of it."
        : "A price is taken back before its first day; announce the former one with services move-price after that."
    return {
      text: `The price is kept for ${counted(services, "service")}. ${note}`,
      data: { services, from: jsonTime(kept.from) },
    }
  },
}

type Kept = { readonly services: number; readonly problem: PriceMoveEnd | null }

/** One service at once, those of a product by the run that a form of the console begins; none once the day has come. */
async function keptFor(call: Call, { services, ...kept }: PriceReturn): Promise<Kept> {
  const { billing, now } = call
  if (kept.from <= now) return { services: 0, problem: null }
  if ("productId" in services) return untilEnd(call, returnIn({ services, ...kept }, begunAt(now)))
  const isKept = await billing.operator.keepPrice(services.serviceId, { ...kept, at: now })
  return { services: isKept ? 1 : 0, problem: null }
}

/** The services, their currency and the day. */
async function meant(call: Call): Promise<PriceReturn> {
  const { options, args, externalBilling, config } = call
  if (externalBilling)
    throw new CommandError("Change the price in the external billing system: its renewals are there.")
  const [number] = args
  if ((number === undefined) === (options.product === undefined))
    throw new UsageError("Name one service by its NUMBER, or all services of a product by --product ID.")
  const about = { from: dayIn(call), reason: reasonIn(options.reason) }
  if (number === undefined) {
    const currency = currencyIn(options.currency) ?? config.CURRENCY
    return { ...about, currency, services: await servicesOfProduct(call, currency) }
  }
  const shown = await call.billing.operator.serviceDetails(number)
  if (!shown) throw new CommandError(`Service or order "${number}" not found.`)
  return { ...about, currency: shown.service.currency, services: { serviceId: shown.service.id } }
}

async function servicesOfProduct({ billing, options }: Call, currency: Currency): Promise<MovedServices> {
  const { product: productId = "", cycle: named } = options
  const product = (await billing.billing.plans()).find(({ id }) => id === productId)
  const sold = cycles.filter((it) => product?.pricing[currency]?.[it] !== undefined)
  const cycle = named === undefined ? sold[0] : cycles.find((it) => it === named)
  if (cycle === undefined || (named === undefined && sold.length > 1))
    throw new UsageError(`Name the billing cycle by --cycle: ${cycles.join(", ")}.`)
  return { productId, cycle }
}

function priceIn({ options: { price = "" } }: Call, currency: Currency): Money {
  const amount = typedRenewalPrice(price, currency)
  if (amount === null)
    throw new UsageError(`Invalid --price "${price}": must be like 12.00, in ${currency}, and not zero.`)
  return amount
}

function currencyIn(value: string | undefined): Currency | undefined {
  const currency = currencies.find((it) => it === value)
  if (value !== undefined && !currency)
    throw new UsageError(`Unknown currency "${value}". Valid: ${currencies.join(", ")}.`)
  return currency
}

function dayIn({ options: { from = "" }, config }: Call): Instant {
  const at = localInstant(from, config.TIME_ZONE)
  if (at === null) throw new UsageError(`Invalid --from "${from}": must be like 2027-03-01.`)
  return at
}
