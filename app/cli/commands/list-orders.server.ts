import { type OrderStatus, orderStatuses } from "~/domain/order-status"
import { type Command, UsageError } from "../command"
import { amount, jsonAmount, jsonTime, time } from "../format"
import { limitIn } from "../limit"

const USUAL = 20

export const listOrders: Command = {
  about: "list orders, newest first",
  args: [],
  options: {
    status: `only orders with this status: ${orderStatuses.join(", ")}`,
    limit: `at most this many orders, ${USUAL} without it`,
  },
  async run({ billing, options }) {
    const listed = await billing.operator.orders({
      limit: limitIn(options.limit, USUAL),
      status: statusIn(options.status),
    })
    const lines = listed
      .map((it) => [
        time(it.placedAt),
        it.id,
        it.status.padEnd(16),
        `${amount(it.received)} of ${amount(it.total)}`,
        it.email,
      ])
      .map((columns) => columns.join("  "))
    return {
      text: lines.join("\n") || "No orders.",
      data: {
        orders: listed.map(({ id, status, email, total, received, placedAt }) => ({
          number: id,
          status,
          email,
          total: jsonAmount(total),
          received: jsonAmount(received),
          placedAt: jsonTime(placedAt),
        })),
      },
    }
  },
}

function statusIn(value: string | undefined): OrderStatus | undefined {
  const status = orderStatuses.find((it) => it === value)
  if (value !== undefined && !status)
    throw new UsageError(`Unknown status "${value}". Valid: ${orderStatuses.join(", ")}.`)
  return status
}
