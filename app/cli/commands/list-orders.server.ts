import { type OrderStatus, orderStatuses } from "~/domain/order-status"
import { type Command, CommandError } from "../command"
import { amount, time } from "../format"

const USUAL = 20
const MOST = 10_000

export const orders: Command = {
  args: [],
  options: ["status", "limit"],
  async run({ books, options }) {
    const listed = await books.operator.orders({
      most: numberIn(options.limit),
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

function statusIn(word: string | undefined): OrderStatus | undefined {
  const status = orderStatuses.find((it) => it === word)
  if (word !== undefined && !status)
    throw new CommandError(`Unknown status "${word}". Valid: ${orderStatuses.join(", ")}.`)
  return status
}

function numberIn(word: string | undefined): number {
  if (word === undefined) return USUAL
  const most = /^\d+$/.test(word) ? Number(word) : 0
  if (most < 1 || most > MOST) throw new CommandError(`--limit must be between 1 and ${MOST}.`)
  return most
}
