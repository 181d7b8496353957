import type { OperatorListed } from "~/billing/operators/operators"
import { currenciesWithoutRateIn } from "~/billing/tax-admin"
import { type Call, type Command, CommandError } from "~/cli/command"
import { amount, jsonAmount, jsonTime, time } from "~/cli/format"
import { unknownShopFields } from "~/config/shop-file.server"
import { dayIn } from "~/domain/calendar"
import type { Need } from "~/domain/console/console-need"
import { openNeeds } from "~/flows/admin/shop/show-overview.server"

const OPERATOR = { operator: "email of the operator who has it" } as const

/** What the overview of the console lists; only a running shop knows which gateways do not answer. */
export const listNeeds: Command = {
  about: "list what needs a person, the most urgent first, and who has taken it",
  args: [],
  async run(call) {
    const needs = await needsOf(call)
    return {
      text: needs.map(lineOf).join("\n") || "Nothing needs a person.",
      data: { needs: needs.map(jsonNeed) },
    }
  },
}

export const takeNeedCommand: Command = {
  about: "take something that needs a person, for an operator of the console",
  args: ["KEY"],
  options: OPERATOR,
  required: ["operator"],
  audit: ofNeed("take-need"),
  async run(call) {
    const { billing, args, now } = call
    const operator = await operatorOf(call)
    const need = (await needsOf(call)).find(({ key }) => key === args[0])
    if (!need) throw new CommandError(`Nothing with the key "${args[0]}" needs a person.`)
    const isTaken = await billing.overview.take({ need: need.key, operatorId: operator.id, at: now })
    if (!isTaken) throw new CommandError(`Cannot take "${need.key}": ${need.takenBy} has it.`)
    return {
      text: `${operator.email} has "${need.key}".`,
      data: { need: need.key, operator: operator.email },
      after: { need: need.key, taken: true, operator: operator.id },
    }
  },
}

export const leaveNeedCommand: Command = {
  about: "give back what an operator has taken",
  args: ["KEY"],
  options: OPERATOR,
  required: ["operator"],
  audit: ofNeed("leave-need"),
  async run(call) {
    const { billing } = call
    const [need = ""] = call.args
    const operator = await operatorOf(call)
    if (!(await billing.overview.leave(need, operator.id)))
      throw new CommandError(`Cannot give "${need}" back: ${operator.email} does not have it.`)
    return {
      text: `Nobody has "${need}" now.`,
      data: { need },
      after: { need, left: true, operator: operator.id },
    }
  },
}

function ofNeed(action: string): NonNullable<Command["audit"]> {
  return ({ args: [need = ""] }) => ({ action, subject: need })
}

async function needsOf({ billing, config, now }: Call): Promise<readonly Need[]> {
  const source = { overview: billing.overview, timeZone: config.TIME_ZONE }
  const enabledGateways = config.GATEWAYS
  const unknown = unknownShopFields(config.SHOP_FILE)
  const currenciesWithoutRate = await currenciesWithoutRateIn(
    billing.tax,
    async () => (await billing.operator.exportCatalogue()).products,
    dayIn(config.TIME_ZONE, now),
  )
  const found = { down: [], unknownShopFields: unknown, currenciesWithoutRate }
  return openNeeds(source, { now, enabledGateways, ...found })
}

async function operatorOf({ billing, options: { operator: email = "" } }: Call): Promise<OperatorListed> {
  const operator = await billing.operators.find(email)
  if (operator?.disabledAt === null) return operator
  throw new CommandError(`Operator "${email}" not found, or disabled.`)
}

function lineOf({ key, kind, since, amount: sum, detail, count, takenBy }: Need): string {
  const taken = takenBy === null ? null : `taken by ${takenBy}`
  const counted = count > 1 ? `${count} ×` : null
  const parts = [time(since), kind.padEnd(18), `"${key}"`, sum && amount(sum), counted, detail, taken]
  return parts.filter(Boolean).join("  ")
}

function jsonNeed({ since, orderId, amount: sum, ...need }: Need) {
  return { ...need, since: jsonTime(since), order: orderId, amount: sum && jsonAmount(sum) }
}
