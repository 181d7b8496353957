import { randomInt } from "node:crypto"
import {
  codeStates,
  type OneTimeCode,
  type PromotionAdmin,
  type PromotionDetails,
  type PromotionFields,
  type PromotionSaved,
} from "~/billing/catalogue/promotion-admin"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { MOST_CODES } from "~/domain/catalogue/promotion-code"
import { promotionTypes } from "~/domain/catalogue/promotion-type"
import { emptyPromotion, type TypedPromotion } from "~/domain/forms/typed-promotion"
import {
  auditedOf,
  promotionFields,
  switchPromotion,
  typedPromotion,
} from "~/flows/admin/catalogue/manage-promotions.server"
import { allCodes, codesFile, generateCodes, seriesIn } from "~/flows/admin/catalogue/promotion-codes.server"

const USUAL = 50

export const listPromotionCodes: Command = {
  about: "list promotions by code, with their uses",
  args: [],
  options: {
    limit: `at most this many, ${USUAL} without it`,
    after: "those behind this code",
    prefix: "only those that begin with this",
  },
  async run(call) {
    const { limit: typed, after, prefix } = call.options
    const limit = limitIn(typed, USUAL)
    const found = await promotionsOf(call).promotions({ beginning: prefix, after, limit: limit + 1 })
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
    return saved(await promotionsOf(call).addPromotion(fieldsIn(call, { ...emptyPromotion, code })))
  },
}

export const editPromotion: Command = {
  about: "change a promotion; what is not given stays, and so do its uses and placed orders",
  args: ["CODE"],
  options: fieldOptions,
  required: ["reason"],
  audit: ofPromotion("edit-promotion"),
  async run(call) {
    const before = await promotionNamed(call)
    const fields = fieldsIn(call, typedPromotion(before))
    return saved(await promotionsOf(call).changePromotion(fields, before))
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

export const generatePromotionCodes: Command = {
  about: "generate one-time codes of a promotion, each good for one order",
  args: ["CODE"],
  options: {
    count: `how many, at most ${MOST_CODES}`,
    prefix: "what they begin with",
    out: "write them into this CSV file instead of showing them",
    reason: "why, for the audit log",
  },
  required: ["count", "reason"],
  audit: ofPromotion("generate-promotion-codes"),
  async run(call) {
    const { count = "", prefix = "", out } = call.options
    const series = seriesIn({ count, prefix })
    if (series === "count-invalid")
      throw new UsageError(`Invalid --count "${count}": must be between 1 and ${MOST_CODES}.`)
    if (typeof series === "string")
      throw new UsageError(`Invalid --prefix "${prefix}": at most 20 letters, digits and hyphens.`)
    const { code } = await promotionNamed(call)
    const promotions = promotionsOf(call)
    const codes = (await generateCodes({ promotions, randomInt, at: call.now }, { code, ...series })) ?? []
    const after = { generated: codes.length }
    if (out === undefined) return { text: codes.join("\n"), data: { codes }, after }
    const made = codes.map(
      (it): OneTimeCode => ({
        code: it,
        state: "unused",
        createdAt: call.now,
        orderId: null,
        usedAt: null,
        withdrawnAt: null,
      }),
    )
    await onDisk(writePrivately(out, codesFile(made)))
    return { text: `${codes.length} codes written to ${out}.`, data: { codes, file: out }, after }
  },
}

export const listOneTimeCodes: Command = {
  about: "list the one-time codes of a promotion by code, with their orders",
  args: ["CODE"],
  options: {
    status: `only those that are ${codeStates.join(", ")}`,
    prefix: "only those that begin with this",
    limit: `at most this many, ${USUAL} without it`,
    after: "those behind this code",
  },
  async run(call) {
    const { status, prefix, limit: typed, after } = call.options
    const state = codeStates.find((it) => it === status)
    if (status !== undefined && state === undefined)
      throw new UsageError(`Invalid --status "${status}": must be ${codeStates.join(", ")}.`)
    const limit = limitIn(typed, USUAL)
    const { code } = await promotionNamed(call)
    const range = { state, beginning: prefix, after, limit: limit + 1 }
    const found = await promotionsOf(call).codes(code, range)
    const listed = found.slice(0, limit)
    const next = found.length > limit ? (listed.at(-1)?.code ?? null) : null
    return {
      text: listed.map((it) => [it.code, it.state, it.orderId].join("  ").trim()).join("\n") || "No codes.",
      data: { codes: listed.map(jsonCode), counts: await promotionsOf(call).codeCounts(code), next },
    }
  },
}

export const exportPromotionCodes: Command = {
  about: "write the one-time codes of a promotion as a CSV file; - writes to standard output",
  args: ["CODE", "FILE|-"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofPromotion("export-promotion-codes"),
  async run(call) {
    const [, file = ""] = call.args
    const { code } = await promotionNamed(call)
    const lines = codesFile(allCodes(promotionsOf(call), code))
    await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
    return { text: `Codes written to ${file === "-" ? "standard output" : file}.`, data: { file } }
  },
}

export const withdrawPromotionCodes: Command = {
  about: "withdraw the unused one-time codes of a promotion for good: all, or those with a prefix",
  args: ["CODE"],
  options: { prefix: "only those that begin with this", reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofPromotion("withdraw-promotion-codes"),
  async run(call) {
    const { code } = await promotionNamed(call)
    const beginning = call.options.prefix ?? ""
    const withdrawn = await promotionsOf(call).withdrawCodes(code, { beginning, at: call.now })
    return { text: `${withdrawn} codes withdrawn.`, data: { withdrawn }, after: { withdrawn } }
  },
}

function jsonCode({ code, state, createdAt, orderId, usedAt, withdrawnAt }: OneTimeCode) {
  const at = (instant: number | null) => (instant === null ? null : jsonTime(instant))
  return {
    code,
    state,
    createdAt: at(createdAt),
    order: orderId,
    usedAt: at(usedAt),
    withdrawnAt: at(withdrawnAt),
  }
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
  if (percent !== undefined) return { kind: promotionTypes.percentage, value: percent, currency: "" }
  if (amount !== undefined) return { kind: promotionTypes.fixed, value: amount, currency: currency ?? "" }
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
    case "changed":
      throw new CommandError("The promotion has changed meanwhile. Nothing was done: try again.")
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
    kind === promotionTypes.percentage ? `${value} %` : `${value} ${currency}`,
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
