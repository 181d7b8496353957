import type {
  PromotionAdmin,
  PromotionDetails,
  PromotionFields,
  PromotionSaved,
} from "~/billing/promotion-admin"
import { cycles } from "~/domain/billing-cycle"
import {
  auditedOf,
  promotionFields,
  switchPromotion,
  type TypedPromotion,
  typedPromotion,
} from "~/flows/admin/manage-promotions.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"

const USUAL = 50

export const listPromotionCodes: Command = {
  about: "list promotions by code, with their uses",
  args: [],
  options: { limit: `at most this many, ${USUAL} without it`, after: "those behind this code" },
  async run(call) {
    const { limit: typed, after } = call.options
    const limit = limitIn(typed, USUAL)
    const found = await promotionsOf(call).promotions({ after, limit: limit + 1 })
    const listed = found.slice(0, limit)
    const next = found.length > limit ? (listed.at(-1)?.code ?? null) : null
    return {
      text: listed.map(lineOf).join("\n") || "No promotions.",
      data: { promotions: listed.map(jsonPromotion), next },
    }
  },
}

export const showPromotion: Command = {
  about: "show a promotion: what it gives, its limits and its uses",
  args: ["CODE"],
  run: async (call) => shown(await promotionNamed(call)),
}

const fieldOptions = {
  products: "ids of the products that it applies to, separated by commas",
  percent: "percent off",
  amount: "amount off instead of percent, with --currency",
  currency: "currency of --amount",
  from: "first day (2026-11-20); 0000-00-00 for none",
  to: "last day, included; 0000-00-00 for none",
  "max-uses": "most uses by all buyers; 0 is without limit",
  "max-per-person": "most orders of one customer; 0 is without limit",
  renewals: "how many renewals get the discount too: a number, or all",
  cycles: `billing cycles that it is good for, separated by commas (${cycles.join(", ")}), or all`,
  reason: "why, for the audit log",
} as const

export const addPromotion: Command = {
  about: "add a promotion, by the rules of the catalogue file",
  args: ["CODE"],
  options: fieldOptions,
  required: ["products", "reason"],
  audit: ofPromotion("add-promotion"),
  async run(call) {
    const [code = ""] = call.args
    return saved(await promotionsOf(call).addPromotion(fieldsIn(call, { ...nothing, code })))
  },
}

export const editPromotion: Command = {
  about: "change a promotion; what is not given stays, and so do its uses and placed orders",
  args: ["CODE"],
  options: fieldOptions,
  required: ["reason"],
  audit: ofPromotion("edit-promotion"),
  async run(call) {
    const before = typedPromotion(await promotionNamed(call))
    return saved(await promotionsOf(call).changePromotion(fieldsIn(call, before)))
  },
}

export const switchOffPromotion: Command = {
  about: "switch a promotion off at once, for all instances; placed orders keep it",
  args: ["CODE"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofPromotion("switch-off-promotion"),
  run: (call) => switched(call, "switch-off-promotion"),
}

export const switchOnPromotion: Command = {
  about: "switch a promotion on again",
  args: ["CODE"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofPromotion("switch-on-promotion"),
  run: (call) => switched(call, "switch-on-promotion"),
}

async function switched(call: Call, action: "switch-off-promotion" | "switch-on-promotion") {
  const { code } = await promotionNamed(call)
  if (!(await switchPromotion(promotionsOf(call), { code, action, at: call.now })))
    throw new CommandError(`${code} is ${action === "switch-off-promotion" ? "off" : "on"} already.`)
  return shown(await promotionNamed(call))
}

function ofPromotion(action: string): NonNullable<Command["audit"]> {
  return ({ args: [code] }) => ({ action, subject: `promotion ${code}` })
}

function promotionsOf({ billing }: Call): PromotionAdmin {
  if (billing.promotions) return billing.promotions
  throw new CommandError("The external billing system has the promotions: change them there.")
}

async function promotionNamed(call: Call): Promise<PromotionDetails> {
  const [code = ""] = call.args
  const promotion = await promotionsOf(call).promotionDetails(code)
  if (!promotion) throw new CommandError(`Promotion "${code}" not found.`)
  return promotion
}

const nothing: TypedPromotion = {
  code: "",
  products: "",
  kind: "Percentage",
  value: "",
  currency: "",
  from: "",
  to: "",
  maxUses: "",
  usesPerPerson: "",
  renewals: "",
  cycles: "",
}

/** The options that were given in the place of what was. */
function fieldsIn({ options }: Call, before: TypedPromotion): PromotionFields {
  return promotionFields({
    ...before,
    ...discountIn(options),
    products: options.products ?? before.products,
    from: options.from ?? before.from,
    to: options.to ?? before.to,
    maxUses: options["max-uses"] ?? before.maxUses,
    usesPerPerson: options["max-per-person"] ?? before.usesPerPerson,
    renewals: options.renewals ?? before.renewals,
    cycles: (options.cycles ?? before.cycles).replace(/^all$/, ""),
  })
}

function discountIn({
  percent,
  amount,
  currency,
}: Call["options"]): Partial<Pick<TypedPromotion, "kind" | "value" | "currency">> {
  if (percent !== undefined && amount !== undefined) throw new UsageError("Give --percent or --amount.")
  if (percent !== undefined) return { kind: "Percentage", value: percent, currency: "" }
  if (amount !== undefined) return { kind: "Fixed Amount", value: amount, currency: currency ?? "" }
  return {}
}

function saved(result: PromotionSaved) {
  switch (result.kind) {
    case "saved":
      return shown(result.promotion)
    case "invalid":
      throw new UsageError(
        result.flaws.map(({ field, message }) => `${field || "The promotion"} ${message}.`).join("\n"),
      )
    case "exists":
      throw new CommandError("Another promotion has this code.")
    case "unknown":
      throw new CommandError("The promotion was removed meanwhile.")
  }
}

function shown(promotion: PromotionDetails) {
  return {
    text: lineOf(promotion),
    data: { promotion: jsonPromotion(promotion) },
    after: auditedOf(promotion),
  }
}

function lineOf(promotion: PromotionDetails): string {
  const { code, kind, value, currency, products, from, to, maxUses, ...typed } = typedPromotion(promotion)
  const { uses, offSince } = promotion
  return [
    code,
    kind === "Percentage" ? `${value} %` : `${value} ${currency}`,
    `products ${products || "none"}`,
    from && `from ${from}`,
    to && `until ${to}`,
    `${uses}${maxUses && ` of ${maxUses}`} uses`,
    typed.usesPerPerson && `${typed.usesPerPerson} per customer`,
    typed.cycles,
    typed.renewals && `renewals: ${typed.renewals}`,
    offSince !== null && `off since ${time(offSince)}`,
  ]
    .filter(Boolean)
    .join("  ")
}

function jsonPromotion(promotion: PromotionDetails) {
  const { kind, value, currency } = typedPromotion(promotion)
  const { code, productIds, startsOn, endsOn, uses, maxUses, offSince } = promotion
  return {
    code,
    kind,
    value,
    currency: currency || null,
    products: productIds,
    cycles: promotion.cycles ?? null,
    from: startsOn,
    to: endsOn,
    uses,
    maxUses,
    maxPerPerson: promotion.usesPerPerson ?? null,
    renewals: promotion.renewals ?? 0,
    offSince: offSince === null ? null : jsonTime(offSince),
  }
}
