import type { CatalogueContent } from "~/billing/catalogue/catalogue-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { Flaw } from "~/domain/flaw"
import {
  type CatalogueProblem,
  flawText,
  type ProductList,
  priceNames,
  type TypedNewOption,
  type TypedNewProduct,
  type TypedOption,
  type TypedPrices,
  type TypedProduct,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { textIn } from "~/http/form.server"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"

/** The fields of a product, as they were typed. */
export function productIn(form: FormData): TypedProduct {
  return {
    name: textIn(form, "name"),
    prices: pricesIn(form, "price"),
    options: form.getAll("options").join(","),
    renewalPrice: textIn(form, "renewalPrice"),
    graceDays: textIn(form, "graceDays"),
    trialHours: textIn(form, "trialHours"),
    credits: textIn(form, "credits"),
    position: textIn(form, "position"),
    isHidden: textIn(form, "hidden") === "on",
  }
}

/** The fields of a new product, as they were typed. */
export function newProductIn(form: FormData): TypedNewProduct {
  return {
    ...productIn(form),
    pid: textIn(form, "pid"),
    payType: textIn(form, "payType"),
    source: textIn(form, "source"),
  }
}

/** The list that a new product is added to; plans for viewers unless another is named. */
export function productListIn(value: FormDataEntryValue | null): ProductList {
  return value === "resellerPlans" ? "resellerPlans" : "plans"
}

/** How many choices the form of a new option has, unless it is filled in with more. */
const NEW_CHOICES = 3

/** The fields of a new option, as they were typed. */
export function newOptionIn(form: FormData): TypedNewOption {
  const length = Math.max(NEW_CHOICES, choiceIdsIn(form).length)
  const ids = Array.from({ length }, (_, index) => String(index + 1))
  return { ...newOptionOf(form, ids), products: form.getAll("products").join(",") }
}

/** The form of an option that was removed, as a new option of no product. */
export function goneOptionIn(form: FormData): TypedNewOption {
  return { ...newOptionOf(form, choiceIdsIn(form)), products: "" }
}

function newOptionOf(form: FormData, ids: readonly string[]): Pick<TypedNewOption, "name" | "choices"> {
  const choices = ids.map((id) => ({
    name: textIn(form, `choice.${id}`),
    prices: pricesIn(form, `price.${id}`),
  }))
  return { name: textIn(form, "name"), choices }
}

const CHOICE = "choice."

function choiceIdsIn(form: FormData): readonly string[] {
  return [...form.keys()].filter((it) => it.startsWith(CHOICE)).map((it) => it.slice(CHOICE.length))
}

/** The catalogue as it is. Throws 404 with external billing. */
export async function presentCatalogue(context: RouteContext) {
  const { catalogue } = consoleRequest(context).services.console
  const present = (await catalogue?.present()) ?? null
  if (!catalogue || !present) throw new Response(null, { status: 404 })
  return { catalogue, present }
}

/** The fields of an option, as they were typed. */
export function optionIn(form: FormData, choiceIds: readonly string[]): TypedOption {
  const choices = choiceIds.map((id) => {
    const name = textIn(form, `choice.${id}`)
    return [id, { name, prices: pricesIn(form, `price.${id}`) }] as const
  })
  return { name: textIn(form, "name"), choices: Object.fromEntries(choices) }
}

function pricesIn(form: FormData, prefix: string): TypedPrices {
  return Object.fromEntries(priceNames.map((name) => [name, textIn(form, `${prefix}.${name}`)] as const))
}

const notTyped = ["key", "action", "seen", "reason", "password", "code", "preview"]

/** What was typed of a product or option as a query, without reason, password and code. */
export function typedQuery(form: FormData): URLSearchParams {
  const typed = [...form].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" && !notTyped.includes(name) ? [[name, value]] : [],
  )
  return new URLSearchParams(typed)
}

/** The same fields as a form. */
export function formOfQuery(query: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of query) form.append(name, value)
  return form
}

/** What was typed, as a part of the catalogue. `at`: the place of what the form is about; empty: of nothing in particular. */
type InCatalogue = { readonly content: CatalogueContent; readonly at: readonly PropertyKey[] }

/** What a page says about a form of the catalogue that was refused. */
export function catalogueProblemText(problem: CatalogueProblem, typed: InCatalogue): string {
  if (problem.kind !== "invalid") return t(`catalogue.problems.${problem.kind}`)
  return t("catalogue.invalid", { flaws: flawsText(problem.flaws, typed) })
}

/** Flaws in words, in the names of the form. */
export function flawsText(flaws: readonly Flaw[], { content, at }: InCatalogue): string {
  return flaws
    .map((flaw) => {
      const place = placeText(flaw.path, { content, at })
      return place === null ? flawText(flaw) : `${place} ${flaw.message}.`
    })
    .join(" ")
}

/** Where something is, as the page calls it; null: it is in no product and no option. */
function placeText(path: readonly PropertyKey[], { content, at }: InCatalogue): string | null {
  const [list, index, field, ...rest] = path
  const items =
    list === "plans" || list === "resellerPlans" || list === "configoptions" ? content[list] : undefined
  const item = items?.[Number(index)]
  const name = names[String(field)]
  if (!item || name === undefined) return null
  const isOwn = at[0] === list && at[1] === index
  const [nth, inChoice, ...ofChoice] = rest
  const ofField =
    field === "options" && "options" in item
      ? [`${choiceText(item.options, Number(nth))}:`, fieldText(inChoice), ...ofChoice]
      : [t(name), ...rest.filter((it) => it !== "hours")]
  return [...(isOwn ? [] : [`${item.name}:`]), ...ofField].join(" ")
}

function choiceText(choices: readonly { readonly name: string }[], index: number): string {
  const name = choices[index]?.name.trim()
  return name ? t("catalogue.choiceNamed", { name }) : `${t("catalogue.choices")} ${index + 1}`
}

function fieldText(field: PropertyKey | undefined): string {
  const name = names[String(field)]
  return name === undefined ? String(field ?? "") : t(name)
}

/** What the page calls the fields of a catalogue file. */
const names: Readonly<Record<string, ConsoleText>> = {
  pid: "catalogue.id",
  name: "catalogue.name",
  pricing: "catalogue.price",
  configoptions: "catalogue.options",
  options: "catalogue.choices",
  renewal_price: "catalogue.renewalPrice",
  grace_days: "catalogue.graceDays",
  trial: "catalogue.trialHours",
  credits: "catalogue.credits",
  paytype: "catalogue.payType",
}
