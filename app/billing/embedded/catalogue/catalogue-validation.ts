import type { CatalogueFileContents } from "./catalogue-file-schema"
import { normalizeCode } from "./normalize-code"

export type Inconsistency = { readonly path: readonly PropertyKey[]; readonly message: string }

/**
 * Finds references to unlisted ids, duplicate ids and promo codes, plans without a price, trials that cannot be kept, and extras
 * in the wrong place.
 */
export function findInconsistencies(file: CatalogueFileContents): readonly Inconsistency[] {
  const plans = [...file.plans, ...file.resellerPlans]
  const pids = plans.map(({ pid }) => pid)
  return [
    ...twice("pid", pids).map((message) => ({ path: ["plans"], message })),
    ...twice("option", idsOf(file.configoptions)).map((message) => ({ path: ["configoptions"], message })),
    ...twice("field", idsOf(file.customfields)).map((message) => ({ path: ["customfields"], message })),
    ...twice(
      "code",
      file.promotions.map(({ code }) => normalizeCode(code)),
    ).map((message) => ({
      path: ["promotions"],
      message,
    })),
    ...ofPlans("plans", file.plans, file),
    ...ofPlans("resellerPlans", file.resellerPlans, file),
    ...file.promotions.flatMap(({ productIds }, index) =>
      unlistedProducts(productIds, pids).map((message) => ({
        path: ["promotions", index, "appliesto"],
        message,
      })),
    ),
  ]
}

function ofPlans(
  list: string,
  plans: CatalogueFileContents["plans"],
  file: CatalogueFileContents,
): Inconsistency[] {
  return plans.flatMap((plan, index) => {
    const at = (place: string) => (message: string) => ({ path: [list, index, place], message })
    const prices = Object.values(plan.pricing).flatMap((cycles) => Object.values(cycles))
    return [
      ...(prices.length === 0 ? ["is missing: it needs one at least"] : []).map(at("pricing")),
      ...(plan.trial && !canFollow(list, plan) ? [NO_TRIAL] : []).map(at("trial")),
      ...missing("option", plan.configoptions, idsOf(file.configoptions)).map(at("configoptions")),
      ...displaced(plan.configoptions, file).map(at("configoptions")),
      ...missing("field", plan.customfields, idsOf(file.customfields)).map(at("customfields")),
    ]
  })
}

const NO_TRIAL = "is possible only for a recurring plan for viewers that can be renewed"

/** Whether a paid term can follow a free trial of the plan. */
function canFollow(
  list: string,
  { paytype, renewal_price }: CatalogueFileContents["plans"][number],
): boolean {
  return list === "plans" && paytype === "recurring" && renewal_price !== "none"
}

/**
 * The catalogue's second option without its first: a plan's first option is sold as the extra connection, so proxy protection would
 * be. Not so where each plan has an extra connection of its own: then no plan has both.
 */
function displaced(ids: readonly string[], file: CatalogueFileContents): string[] {
  const [first, second] = file.configoptions
  if (!first || !second || !ids.includes(second.id) || ids.includes(first.id)) return []
  const lists = [...file.plans, ...file.resellerPlans].map(({ configoptions }) => configoptions)
  const withFirst = lists.filter((it) => it.includes(first.id))
  const isOwn = withFirst.length > 0 && !withFirst.some((it) => it.includes(second.id))
  return isOwn
    ? []
    : [`has "${second.name}" without "${first.name}", so it would be sold as the extra connection`]
}

function idsOf(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id)
}

/** What a promotion says of products that the catalogue does not have. */
export function unlistedProducts(productIds: readonly string[], listed: readonly string[]): string[] {
  return missing("product", productIds, listed)
}

function missing(what: string, wanted: readonly string[], listed: readonly string[]): string[] {
  return wanted
    .filter((id) => !listed.includes(id))
    .map((id) => `names the ${what} "${id}", which is not listed`)
}

function twice(what: string, names: readonly string[]): string[] {
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  return [...new Set(repeated)].map((name) => `has the ${what} "${name}" more than once`)
}
