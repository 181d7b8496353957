import { isRefusedByBilling } from "~/billing/billing"
import { ofOrder } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { type Released, refuseOrder, releaseOrder } from "~/flows/checkout/held-order.server"
import { termPolicyOf } from "~/wiring/terms.server"
import { openVatNumbers } from "~/wiring/vat-numbers.server"

/** Releases an order from the fraud hold, with a new deadline. */
export const releaseHeldOrder: Command = {
  about: "release an order from the fraud hold, with a new deadline; the buyer gets a message",
  args: ["NUMBER"],
  options: { reason: "why, for the timeline" },
  required: ["reason"],
  audit: ofOrder("release-order"),
  async run(call) {
    const { billing, config, args, options, now, log } = call
    const shop = {
      timeZone: config.TIME_ZONE,
      terms: termPolicyOf(config) ?? null,
      tax: billing.tax?.rules() ?? null,
    }
    const pricing = {
      billing: billing.billing,
      shop,
      now: () => now,
      vatNumbers: openVatNumbers(config, { sandbox: null, now: () => now, log, taxRules: () => shop.tax }),
    }
    const [number = ""] = args
    const released = await body(releaseOrder(pricing, number, byOperator(options)))
    if (!released) throw new CommandError(`Order "${number}" not found.`)
    const text = releaseMessage(released)
    const { id, status, decision } = released.order
    return { text, data: { order: { number: id, status, decision } } }
  },
}

/** Refuses an order on fraud hold for good. */
export const refuseHeldOrder: Command = {
  about: "refuse an order on fraud hold for good",
  args: ["NUMBER"],
  options: { reason: "why, for the timeline" },
  required: ["reason"],
  audit: ofOrder("refuse-order"),
  async run({ billing, args: [number = ""], options, now }: Call) {
    const services = { billing: billing.billing, now: () => now }
    const refused = await body(refuseOrder(services, number, byOperator(options)))
    if (!refused) throw new CommandError(`Order "${number}" not found.`)
    if (refused.kind === "not-held") throw new CommandError(notHeld(refused.order))
    return {
      text: `Order ${number} refused; its promo code and credit are released. The buyer gets no message.`,
      data: { order: { number, decision: "refused" } },
    }
  },
}

/** The timeline reference of a decision: the operator and the reason. Throws `UsageError` without a reason. */
function byOperator({ reason }: Call["options"]): string {
  const message = reason?.trim()
  if (!message) throw new UsageError("Option --reason is required.")
  return `${OPERATOR_REFERENCE}${message}`
}

/** Converts a `refused` error of the billing engine to a `CommandError` with its message. */
async function body<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    throw new CommandError(`${error.message}.`, { cause: error })
  }
}

const MESSAGE = "and the buyer gets a message, unless the order is paid or the shop sends none"

function releaseMessage(released: Released): string {
  const { order } = released
  switch (released.kind) {
    case "released":
      return `Order ${order.id} released, now ${order.status}. The buyer's page continues automatically, ${MESSAGE}.`
    case "buyer-is-asked":
      return `Order ${order.id} released. Its price or promo code has changed, so the buyer has to confirm again, ${MESSAGE}.`
    case "not-held":
      throw new CommandError(notHeld(order))
  }
}

function notHeld({ id, status, decision }: Released["order"]): string {
  return decision === null
    ? `Cannot change order ${id}: status "${status}" is not on fraud hold.`
    : `Cannot change order ${id}: already ${decision}.`
}
