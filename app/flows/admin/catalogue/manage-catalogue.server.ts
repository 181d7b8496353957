import type {
  CatalogueAdmin,
  CatalogueContent,
  OptionFields,
  PresentCatalogue,
  PricingFields,
  ProductFields,
} from "~/billing/catalogue/catalogue-admin"
import type { SeenVersion } from "~/billing/versions"
import type { ConsoleServices } from "~/context/services.server"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { catalogueChanges } from "~/domain/catalogue/catalogue-changes"
import type { Flaw } from "~/domain/flaw"
import { currencies, toDecimal } from "~/domain/money/money"
import { typedAmount } from "~/domain/money/typed-amount"
import {
  makeVersion,
  type VersionForm,
  type VersionMaking,
  type VersionOutcome,
  type VersionProblem,
  versionOutcome,
} from "../make-version.server"
import type { Actor } from "../run-operator-action.server"

/** Prices as they are typed, by currency and cycle: `EUR.monthly`. Empty: not sold. */
export type TypedPrices = Readonly<Record<string, string>>

/** A product as it is typed. `position`: from 1, in its list. */
export type TypedProduct = {
  readonly name: string
  readonly prices: TypedPrices
  /** Ids, separated by commas. */
  readonly options: string
  readonly renewalPrice: string
  readonly graceDays: string
  readonly trialHours: string
  readonly credits: string
  readonly position: string
  readonly isHidden: boolean
}

/** What only a new product is asked for. `source`: the product that it was copied from; empty: none. */
export type TypedNewProduct = TypedProduct & {
  readonly pid: string
  readonly payType: string
  readonly source: string
}

/** A new option as it is typed: choices without a name are left out. `products`: ids, separated by commas. */
export type TypedNewOption = {
  readonly name: string
  readonly choices: readonly { readonly name: string; readonly prices: TypedPrices }[]
  readonly products: string
}

/** An option as it is typed, with its choices by their ids. */
export type TypedOption = {
  readonly name: string
  readonly choices: Readonly<Record<string, { readonly name: string; readonly prices: TypedPrices }>>
}

/** The names of all prices in a form. */
export const priceNames: readonly string[] = currencies.flatMap((currency) =>
  cycles.map((cycle) => `${currency}.${cycle}`),
)

type Place = { readonly list: "plans" | "resellerPlans"; readonly index: number }

/** Where the content has a product; null for an unknown one. */
export function placeOf(content: CatalogueContent, pid: string): Place | null {
  for (const list of ["plans", "resellerPlans"] as const) {
    const index = content[list].findIndex((it) => it.pid === pid)
    if (index !== -1) return { list, index }
  }
  return null
}

/** A product as a form shows it. */
export function typedProduct(product: ProductFields, index: number): TypedProduct {
  const { name, pricing, configoptions, renewal_price, grace_days, trial, credits, hidden = false } = product
  return {
    name,
    prices: typedPrices(pricing),
    options: configoptions.join(","),
    renewalPrice: renewal_price ?? "kept",
    graceDays: String(grace_days ?? ""),
    trialHours: String(trial?.hours ?? ""),
    credits: String(credits ?? ""),
    position: String(index + 1),
    isHidden: hidden,
  }
}

/** An option as a form shows it. */
export function typedOption({ name, options }: OptionFields): TypedOption {
  const choices = options.map((it) => [it.id, { name: it.name, prices: typedPrices(it.pricing) }] as const)
  return { name, choices: Object.fromEntries(choices) }
}

function typedPrices(pricing: PricingFields): TypedPrices {
  return Object.fromEntries(
    Object.entries(pricing).flatMap(([currency, prices]) =>
      Object.entries(prices).map(([cycle, price]) => [`${currency}.${cycle}`, price] as const),
    ),
  )
}

/** The content with a product as it was typed, at the place that was chosen. */
export function withProduct(
  content: CatalogueContent,
  { list, index }: Place,
  typed: TypedProduct,
): CatalogueContent {
  const before = content[list][index]
  if (!before) return content
  const others = content[list].filter((it) => it !== before)
  const at = Number(typed.position)
  const place = Number.isSafeInteger(at) && at > 0 ? at - 1 : index
  return { ...content, [list]: others.toSpliced(place, 0, productFields(before, typed, content)) }
}

function productFields(
  before: ProductFields,
  typed: TypedProduct,
  { configoptions }: CatalogueContent,
): ProductFields {
  const { pid, paytype, customfields, credits, renewal_price } = before
  const { renewalPrice } = typed
  const ticked = typed.options.split(",")
  return {
    pid,
    name: typed.name,
    paytype,
    pricing: pricingOf(typed.prices),
    configoptions: inPlaces(
      before.configoptions.filter((id) => ticked.includes(id)),
      ticked,
      configoptions.map(({ id }) => id),
    ),
    customfields,
    ...(credits !== undefined && { credits: numberIn(typed.credits) ?? Number.NaN }),
    // "kept" is what a product has without a rule.
    ...((renewalPrice !== "kept" || renewal_price !== undefined) && { renewal_price: renewalPrice }),
    ...definedOf({ grace_days: numberIn(typed.graceDays) }),
    ...definedOf({ trial: trialOf(numberIn(typed.trialHours)) }),
    ...(typed.isHidden && { hidden: true }),
    ...scheduledOf(before),
  }
}

/** Prices that are ahead stay as they are: they have forms of their own. */
function scheduledOf({ scheduled_prices }: Pick<ProductFields, "scheduled_prices">) {
  return scheduled_prices === undefined ? {} : { scheduled_prices }
}

/**
 * The options that a product keeps, with the newly ticked ones. Their order has a meaning, the first is the extra connection: those
 * that it had stay in their places, and the others have the place of the catalogue's order.
 */
function inPlaces(
  kept: readonly string[],
  ticked: readonly string[],
  all: readonly string[],
): readonly string[] {
  const added = all.filter((id) => ticked.includes(id) && !kept.includes(id))
  return added.reduce((placed, id) => {
    const later = all.slice(all.indexOf(id) + 1)
    const place = placed.findIndex((it) => later.includes(it))
    return placed.toSpliced(place === -1 ? placed.length : place, 0, id)
  }, kept)
}

/** The content with an option as it was typed. */
export function withOption(content: CatalogueContent, id: string, typed: TypedOption): CatalogueContent {
  const configoptions = content.configoptions.map((option) => {
    if (option.id !== id) return option
    const options = option.options.map((choice) => {
      const { name, prices } = typed.choices[choice.id] ?? { name: "", prices: {} }
      return { id: choice.id, name, pricing: pricingOf(prices), ...scheduledOf(choice) }
    })
    return { id, name: typed.name, options }
  })
  return { ...content, configoptions }
}

export type ProductList = Place["list"]

/** What the form of a new product begins with: the next free number, hidden, at the end; a copy has all that its source has. */
export function newTypedProduct(
  content: CatalogueContent,
  list: ProductList,
  source: string,
): TypedNewProduct {
  const place = placeOf(content, source)
  const copied = place?.list === list ? content[list][place.index] : undefined
  const payType = copied?.paytype ?? "recurring"
  const shown = typedProduct(
    copied ?? blankProduct(content, list, { pid: "", payType, source: "" }),
    content[list].length,
  )
  return {
    ...shown,
    credits: copied ? shown.credits : "",
    pid: nextId([...content.plans, ...content.resellerPlans].map((it) => it.pid)),
    payType,
    source: copied?.pid ?? "",
    isHidden: true,
  }
}

/** The content with a new product as it was typed, at the place that was chosen. */
export function withNewProduct(
  content: CatalogueContent,
  list: ProductList,
  typed: TypedNewProduct,
): CatalogueContent {
  const extended = { ...content, [list]: [...content[list], blankProduct(content, list, typed)] }
  return withProduct(extended, { list, index: content[list].length }, typed)
}

/** It asks its buyers for the same as its source, or as the first of its list, and has the order of options of its source. */
function blankProduct(
  content: CatalogueContent,
  list: ProductList,
  { pid, payType, source }: Pick<TypedNewProduct, "pid" | "payType" | "source">,
): ProductFields {
  const products = content[list]
  const like = products.find((it) => it.pid === source)
  const all = list === "plans" ? content.configoptions.map(({ id }) => id) : []
  return {
    pid: pid.trim(),
    name: "",
    paytype: payType,
    pricing: {},
    configoptions: like?.configoptions ?? all,
    customfields: (like ?? products[0])?.customfields ?? [],
    ...(list === "resellerPlans" && { credits: Number.NaN }),
  }
}

/** The content without a product. Options that no other product has go with it. */
export function withoutProduct(content: CatalogueContent, pid: string): CatalogueContent {
  const plans = content.plans.filter((it) => it.pid !== pid)
  const resellerPlans = content.resellerPlans.filter((it) => it.pid !== pid)
  return { ...content, plans, resellerPlans }
}

type NewIds = { readonly optionId: string; readonly choiceIds: readonly string[] }

/**
 * The content with a new option, as the last one of the products that were chosen. Its ids must never have been used: orders and
 * services name the choices that they have.
 */
export function withNewOption(
  content: CatalogueContent,
  { optionId, choiceIds }: NewIds,
  typed: TypedNewOption,
): CatalogueContent {
  const chosen = typed.products.split(",")
  const options = typed.choices.flatMap(({ name, prices }, index) =>
    name.trim() === "" ? [] : [{ id: choiceIds[index] ?? "", name, pricing: pricingOf(prices) }],
  )
  const withIt = (product: ProductFields): ProductFields =>
    chosen.includes(product.pid)
      ? { ...product, configoptions: [...product.configoptions, optionId] }
      : product
  return {
    ...content,
    plans: content.plans.map(withIt),
    resellerPlans: content.resellerPlans.map(withIt),
    configoptions: [...content.configoptions, { id: optionId, name: typed.name, options }],
  }
}

/** The number after the highest one. */
function nextId(ids: readonly string[]): string {
  const numbers = ids.filter((it) => /^\d{1,9}$/.test(it)).map(Number)
  return String(Math.max(0, ...numbers) + 1)
}

function pricingOf(prices: TypedPrices): PricingFields {
  const byCurrency = currencies.map((currency) => {
    const sold = cycles.flatMap((cycle) => {
      const typed = prices[`${currency}.${cycle}`]?.trim() ?? ""
      const amount = typedAmount(typed, currency)
      // What is no amount is refused by the catalogue's rules.
      const price = amount ? toDecimal(amount) : typed
      return price === "" ? [] : [[cycle, price] as const]
    })
    return [currency, Object.fromEntries(sold)] as const
  })
  return Object.fromEntries(byCurrency.filter(([, sold]) => Object.keys(sold).length > 0))
}

const trialOf = (hours: number | undefined) => (hours === undefined ? undefined : { hours })

/** Without what is not defined. */
function definedOf<T extends object>(fields: T): Partial<T> {
  return Object.values(fields).every((it) => it === undefined) ? {} : fields
}

/** Nothing typed is no number; what is no number is NaN, which the rules refuse. */
function numberIn(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text)
}

/** A flaw in words, with its place in the catalogue file. */
export function flawText({ path, message }: Flaw): string {
  return `${path.join(".") || "The catalogue"} ${message}.`
}

type CatalogueWrong = {
  readonly kind: "no-products" | "sold" | "was-sold" | "id-taken" | ScheduleProblem
}

/** Why a price is not scheduled, or not taken back. */
export type ScheduleProblem =
  | "price-unknown"
  | "amount-invalid"
  | "time-invalid"
  | "time-passed"
  | "scheduled-already"
  /** It is in force, or was taken back. */
  | "not-scheduled"

export type CatalogueProblem = VersionProblem | CatalogueWrong

type Change = {
  readonly catalogue: CatalogueAdmin
  readonly present: PresentCatalogue
  readonly form: VersionForm
  /** What it is about, such as "product 3"; and what is to be. */
  readonly subject: string
  readonly to: CatalogueTarget
  /** Without it a change or a take-back, by what is to be. */
  readonly action?: "schedule-price" | "unschedule-price"
  readonly wrong?: CatalogueWrong | null
}

export type CatalogueTarget = CatalogueContent | { readonly version: number }

/** Checks the products and writes a version. The console and the command line do it by this. */
export async function saveCatalogue(
  catalogue: CatalogueAdmin,
  to: CatalogueTarget,
  made: SeenVersion,
): Promise<VersionOutcome> {
  const saved =
    "version" in to ? await catalogue.takeBack(to.version, made) : await catalogue.change(to, made)
  return versionOutcome(saved, catalogueChanges)
}

/** Changes products, or takes a version back, with a form of the console. */
export function changeCatalogue(
  services: ConsoleServices,
  actor: Actor,
  { catalogue, present, form, subject, to, action, wrong = null }: Change,
): Promise<VersionMaking<CatalogueWrong>> {
  return makeVersion<CatalogueWrong>(services, actor, {
    action: action ?? ("version" in to ? "take-back-catalogue" : "edit-catalogue"),
    subject,
    form,
    versions: catalogue,
    latest: present.latest,
    // Only the database knows the promotions, with which products are checked.
    wrong,
    save: (made) => saveCatalogue(catalogue, to, made),
  })
}

type Adding = Omit<Change, "to" | "wrong"> & { readonly pid: string; readonly to: CatalogueContent }

/** Adds a product. One whose id services or orders have is refused: they would become its. */
export async function addProduct(
  services: ConsoleServices,
  actor: Actor,
  { pid, ...change }: Adding,
): Promise<VersionMaking<CatalogueWrong>> {
  return changeCatalogue(services, actor, { ...change, wrong: await idProblem(change, pid) })
}

async function idProblem(
  { catalogue, present }: Pick<Change, "catalogue" | "present">,
  pid: string,
): Promise<CatalogueWrong | null> {
  if (placeOf(present.content, pid)) return { kind: "id-taken" }
  return (await catalogue.isSold(pid)) ? { kind: "was-sold" } : null
}

/** Removes a product that nobody has. One that was sold is refused, and can be hidden. */
export async function removeProduct(
  services: ConsoleServices,
  actor: Actor,
  { pid, ...change }: Omit<Adding, "to">,
): Promise<VersionMaking<CatalogueWrong>> {
  const wrong: CatalogueWrong | null = (await change.catalogue.isSold(pid)) ? { kind: "sold" } : null
  return changeCatalogue(services, actor, {
    ...change,
    to: withoutProduct(change.present.content, pid),
    wrong,
  })
}

/** Adds an option. It needs a product: an option that no product has does not stay. */
export function addOption(
  services: ConsoleServices,
  actor: Actor,
  { typed, ...change }: Omit<Change, "to" | "subject" | "wrong"> & { readonly typed: TypedNewOption },
): Promise<VersionMaking<CatalogueWrong>> {
  const { newId } = services
  const ids = { optionId: newId(), choiceIds: typed.choices.map(() => newId()) }
  return changeCatalogue(services, actor, {
    ...change,
    subject: `catalogue option ${ids.optionId}`,
    to: withNewOption(change.present.content, ids, typed),
    wrong: typed.products === "" ? { kind: "no-products" } : null,
  })
}
