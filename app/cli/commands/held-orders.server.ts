import { BillingError } from "~/billing/billing"
import { type Released, releaseOrder } from "~/flows/checkout/held-order.server"
import { type Call, type Command, CommandError } from "../command"

/** Lets an order that is held as suspicious go on. */
export const release: Command = {
  args: ["NUMBER"],
  options: ["reason"],
  async run(call) {
    const { billing, config, args, options, now } = call
    const shop = { timeZone: config.TIME_ZONE }
    const pricing = {
      billing: billing.billing,
      shop,
      pricingContext: { country: "XX", currency: config.CURRENCY },
      now: () => now,
    }
    const [number = ""] = args
    const released = await body(releaseOrder(pricing, number, byOperator(options)))
    if (!released) throw new CommandError(`No order "${number}".`)
    return releaseMessage(released)
  },
}

/** Refuses an order that is held as suspicious, for good. */
export const refuse: Command = {
  args: ["NUMBER"],
  options: ["reason"],
  async run({ billing, args: [number = ""], options, now }: Call) {
    const reference = byOperator(options)
    const before = await billing.billing.order(number)
    if (!before) throw new CommandError(`No order "${number}".`)
    if (before.status !== "fraud" || before.decision === "refused") throw new CommandError(notHeld(before))
    await body(billing.billing.refuseOrder(number, { at: now, reference }))
    return `Order ${number} is refused. It uses no code and no credit.`
  },
}

/** Who has decided and why, for the order's timeline. */
function byOperator({ reason }: Call["options"]): string {
  const message = reason?.trim()
  if (!message) throw new CommandError('Say why, for the order\'s timeline: --reason "WORDS".')
  return `operator: ${message}`
}

/** What whoever keeps the books refuses, he refuses in words. */
async function body<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    throw new CommandError(`${error.message}.`, { cause: error })
  }
}

function releaseMessage(released: Released): string {
  const { order } = released
  switch (released.kind) {
    case "released":
      return `Order ${order.id} is released and ${order.status}: the buyer's page leads on by itself.`
    case "buyer-is-asked":
      return `Order ${order.id} is released, but its price or its code no longer holds: the buyer's page asks him again.`
    case "not-held":
      throw new CommandError(notHeld(order))
  }
}

function notHeld({ id, status, decision }: Released["order"]): string {
  return decision === null
    ? `Order ${id} is ${status}, and not held.`
    : `Order ${id} has been ${decision} already.`
}
