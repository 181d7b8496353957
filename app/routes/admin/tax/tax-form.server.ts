import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { Flaw } from "~/domain/flaw"
import { currencies } from "~/domain/money/money"
import type { VersionProblem } from "~/flows/admin/make-version.server"
import { taxFlawText } from "~/flows/admin/tax/manage-tax.server"
import type { TypedTax } from "~/flows/admin/tax/typed-tax"
import { textIn } from "~/http/form.server"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"

/** The rules, as they were typed. */
export function typedTaxIn(form: FormData, productIds: readonly string[]): TypedTax {
  return {
    country: textIn(form, "country"),
    registrations: textIn(form, "registrations"),
    oneStopShop: textIn(form, "oneStopShop") === "on",
    rates: textIn(form, "rates"),
    exempt: textIn(form, "exempt"),
    categories: Object.fromEntries(productIds.map((id) => [id, textIn(form, `category.${id}`)] as const)),
    prices: Object.fromEntries(currencies.map((it) => [it, textIn(form, `prices.${it}`)] as const)),
    accountingCurrency: textIn(form, "accountingCurrency"),
    exchangeRates: textIn(form, "exchangeRates"),
  }
}

/** The rules as they are. Throws 404 with external billing. */
export async function presentTax(context: RouteContext) {
  const { tax } = consoleRequest(context).services.console
  if (!tax) throw new Response(null, { status: 404 })
  return { tax, present: await tax.present() }
}

/** What a page says about a form that was refused. */
export function taxProblemText(problem: VersionProblem): string {
  if (problem.kind !== "invalid") return t(`tax.problems.${problem.kind}`)
  return t("tax.invalid", { flaws: problem.flaws.map(flawText).join(" ") })
}

/** A flaw in the names of the form: "Rates, line 2: percent must be a number." */
function flawText(flaw: Flaw): string {
  const [field, line, ...place] = fieldPath(flaw.path)
  const name = names[String(field)]
  if (name === undefined) return taxFlawText(flaw)
  const where = typeof line === "number" ? t("tax.line", { field: t(name), line: line + 1 }) : t(name)
  const part = typeof line === "number" ? place : [line, ...place]
  return `${where}: ${[...part.filter((it) => it !== undefined).map(String), flaw.message].join(" ")}.`
}

/** The path of a flaw with the field of the form first. */
function fieldPath([section, field, ...rest]: Flaw["path"]): Flaw["path"] {
  if (section === "accounting" && field !== undefined) return [`${section}.${String(field)}`, ...rest]
  return [section, field, ...rest].filter((it) => it !== undefined)
}

/** What the page calls the fields of the rules. */
const names: Readonly<Record<string, ConsoleText>> = {
  country: "tax.country",
  registrations: "tax.registrations",
  rates: "tax.rates",
  exempt: "tax.exempt",
  categories: "tax.categories",
  prices: "tax.prices",
  "accounting.currency": "tax.accountingCurrency",
  "accounting.exchangeRates": "tax.exchangeRates",
}
