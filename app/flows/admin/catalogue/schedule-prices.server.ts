import type {
  CatalogueAdmin,
  CatalogueContent,
  PresentCatalogue,
  ScheduledPriceFields,
} from "~/billing/catalogue/catalogue-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { type Cycle, cycles } from "~/domain/catalogue/billing-cycle"
import type { Priced, Product, ScheduledPrice } from "~/domain/catalogue/catalogue"
import { localInstant } from "~/domain/local-time"
import { type Currency, currencies, toDecimal } from "~/domain/money/money"
import { typedAmount } from "~/domain/money/typed-amount"
import { type OperatorRole, operatorShownTo } from "~/domain/operators/operator"
import type { VersionForm } from "../make-version.server"
import type { Actor } from "../run-operator-action.server"
import { changeCatalogue, type ScheduleProblem } from "./manage-catalogue.server"

/** What has prices: a product itself (`choice` is empty), or a choice of its options by both ids, such as "2/1". */
type Item = { readonly choice: string; readonly name: string; readonly priced: Priced }

/** One price of an item: of one currency and cycle. */
export type PriceName = {
  readonly choice: string
  readonly currency: Currency
  readonly cycle: Cycle
}

/** A price from an instant on as an operator types it. `of`: see `priceNameText`. */
export type TypedSchedule = { readonly of: string; readonly price: string; readonly from: string }

function itemsOf(product: Product): readonly Item[] {
  const choices = product.options.flatMap((option) =>
    option.choices.map((choice) => ({
      choice: `${option.id}/${choice.id}`,
      name: `${option.name}, ${choice.name}`,
      priced: choice,
    })),
  )
  return [{ choice: "", name: "", priced: product }, ...choices]
}

/** How a form names a price: "EUR annually", and of a choice "2/1 EUR annually". */
export function priceNameText({ choice, currency, cycle }: PriceName): string {
  return [choice, currency, cycle].filter((it) => it !== "").join(" ")
}

/** The prices that a product and its options are sold at, which others can be scheduled for; `text`: for people. */
export function pricesSold(product: Product): readonly (PriceName & { readonly text: string })[] {
  return itemsOf(product).flatMap(({ choice, name, priced }) =>
    currencies.flatMap((currency) =>
      cycles
        .filter((cycle) => priced.pricing[currency]?.[cycle] !== undefined)
        .map((cycle) => ({ choice, currency, cycle, text: textOf({ name, currency, cycle }) })),
    ),
  )
}

/** A scheduled price of a product or its options; `text`: what it is of, for people. */
export type ShownSchedule = ScheduledPrice & { readonly choice: string; readonly text: string }

/** The scheduled prices of a product and its options that are ahead, the next one first. */
export function schedulesOf(product: Product): readonly ShownSchedule[] {
  return itemsOf(product)
    .flatMap(({ choice, name, priced }) =>
      (priced.scheduledPrices ?? []).map((it) => ({ ...it, choice, text: textOf({ name, ...it }) })),
    )
    .toSorted((one, other) => one.from - other.from)
}

/** The same as a role sees them, with how a form names what each is of. */
export function shownSchedules(
  product: Product,
  role: OperatorRole,
): readonly (ShownSchedule & { readonly of: string })[] {
  return schedulesOf(product).map((it) => ({
    ...it,
    of: priceNameText(it),
    author: it.author === null ? null : operatorShownTo(role, it.author),
  }))
}

function textOf({ name, currency, cycle }: Omit<PriceName, "choice"> & { readonly name: string }): string {
  const price = `${currency} ${cycle}`
  return name === "" ? price : `${name}: ${price}`
}

type Scheduling = {
  readonly product: Product
  readonly content: CatalogueContent
  readonly at: Instant
  readonly timeZone: string
  readonly author: string
  readonly reason: string
}

/** The content with a price from an instant on, or why there is none. */
export function withSchedule(
  { product, content, at, timeZone, author, reason }: Scheduling,
  { of, price, from: typedFrom }: TypedSchedule,
): CatalogueContent | ScheduleProblem {
  const name = pricesSold(product).find((it) => priceNameText(it) === of)
  if (!name) return "price-unknown"
  const amount = typedAmount(price, name.currency)
  if (amount === null) return "amount-invalid"
  const from = localInstant(typedFrom, timeZone)
  if (from === null) return "time-invalid"
  if (from <= at) return "time-passed"
  if (schedulesOf(product).some((it) => it.from === from && priceNameText(it) === of))
    return "scheduled-already"
  const { choice, currency, cycle } = name
  const fields = {
    from: timeText(from),
    currency,
    cycle,
    price: toDecimal(amount),
    author,
    at: timeText(at),
    reason,
  }
  return withSchedules(content, { pid: product.id, choice }, (list) => [...list, fields])
}

/** The content without a price that is ahead, or why there is none. */
export function withoutSchedule(
  content: CatalogueContent,
  product: Product,
  { of, from }: { readonly of: string; readonly from: Instant },
): CatalogueContent | ScheduleProblem {
  const found = schedulesOf(product).find((it) => it.from === from && priceNameText(it) === of)
  if (!found) return "not-scheduled"
  const { choice, currency, cycle } = found
  const isIt = (it: ScheduledPriceFields) =>
    it.from === timeText(from) && it.currency === currency && it.cycle === cycle
  return withSchedules(content, { pid: product.id, choice }, (list) => list.filter((it) => !isIt(it)))
}

const timeText = (at: Instant) => new Date(at).toISOString()

type Schedules = (list: readonly ScheduledPriceFields[]) => readonly ScheduledPriceFields[]

/** An option is the catalogue's: its prices are those of every product that has it. */
function withSchedules(
  content: CatalogueContent,
  { pid, choice }: { readonly pid: string; readonly choice: string },
  changed: Schedules,
): CatalogueContent {
  const change = <T extends { readonly scheduled_prices?: readonly ScheduledPriceFields[] | undefined }>(
    it: T,
    isIt: boolean,
  ): T => (isIt ? { ...it, scheduled_prices: changed(it.scheduled_prices ?? []) } : it)
  if (choice === "")
    return {
      ...content,
      plans: content.plans.map((it) => change(it, it.pid === pid)),
      resellerPlans: content.resellerPlans.map((it) => change(it, it.pid === pid)),
    }
  const configoptions = content.configoptions.map((option) => ({
    ...option,
    options: option.options.map((it) => change(it, `${option.id}/${it.id}` === choice)),
  }))
  return { ...content, configoptions }
}

type Sent = {
  readonly catalogue: CatalogueAdmin
  readonly present: PresentCatalogue
  readonly product: Product
  readonly form: VersionForm
}

type Made = ReturnType<typeof changeCatalogue>

/** Schedules a price for new orders with a form of the console. */
export function schedulePrice(
  services: ConsoleServices,
  actor: Actor,
  { typed, ...sent }: Sent & { readonly typed: TypedSchedule },
): Made {
  const { product, present, form } = sent
  const scheduling = {
    product,
    content: present.content,
    at: services.now(),
    timeZone: services.shop.timeZone,
    author: actor.session.email,
    reason: form.reason,
  }
  return made(services, actor, { ...sent, action: "schedule-price", to: withSchedule(scheduling, typed) })
}

/** Takes a scheduled price back, before it is in force, with a form of the console. */
export function unschedulePrice(
  services: ConsoleServices,
  actor: Actor,
  { of, from, ...sent }: Sent & { readonly of: string; readonly from: Instant },
): Made {
  const to = withoutSchedule(sent.present.content, sent.product, { of, from })
  return made(services, actor, { ...sent, action: "unschedule-price", to })
}

type Making = Sent & {
  readonly action: "schedule-price" | "unschedule-price"
  readonly to: CatalogueContent | ScheduleProblem
}

function made(services: ConsoleServices, actor: Actor, { product, to, ...sent }: Making): Made {
  const isWrong = typeof to === "string"
  return changeCatalogue(services, actor, {
    ...sent,
    subject: `product ${product.id}`,
    to: isWrong ? sent.present.content : to,
    wrong: isWrong ? { kind: to } : null,
  })
}
