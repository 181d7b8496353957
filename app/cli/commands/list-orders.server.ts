import { type OrderStatus, orderStatuses } from "~/domain/order-status"
import { type Command, CommandError } from "../command"
import { amount, time } from "../format"

const USUAL = 20
const MAX = 10_000

export const orders: Command = {
  args: [],
  options: ["status", "limit"],
  async run({ billing, options }) {
    const listed = await billing.operator.orders({
      limit: numberIn(options.limit),
      status: statusIn(options.status),
    })
    if (listed.length === 0) return "No orders."
    return listed
      .map((it) => [
        time(it.placedAt),
        it.id,
        it.status.padEnd(16),
        `${amount(it.received)} of ${amount(it.total)}`,
        it.email,
      ])
      .map((columns) => columns.join("  "))
      .join("\n")
  },
}

function statusIn(value: string | undefined): OrderStatus | undefined {
  const status = orderStatuses.find((it) => it === value)
  if (value !== undefined && !status)
    throw new CommandError(`Unknown status "${value}". Valid: ${orderStatuses.join(", ")}.`)
  return status
}

function numberIn(value: string | undefined): number {
  if (value === undefined) return USUAL
  const max = /^\d+$/.test(value) ? Number(value) : 0
  if (max < 1 || max > MAX) throw new CommandError(`--limit must be between 1 and ${MAX}.`)
  return max
}
