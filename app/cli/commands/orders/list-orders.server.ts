import type { OrderListItem } from "~/billing/orders/order-search"
import { audited } from "~/cli/audited.server"
import type { Call, Command } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { amount, jsonAmount, jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { orderFilterIn, orderFilterOptions } from "~/cli/order-filter.server"
import { placeOption } from "~/cli/place-option"
import { reasonIn } from "~/cli/reason"
import { timedPlaceText } from "~/flows/admin/keyset-pages.server"
import { exportOrders } from "~/flows/admin/orders/export-orders.server"
import { findOrders, searchOrders, totalIn } from "~/flows/admin/orders/find-orders.server"

const USUAL = 20

export const listOrders: Command = {
  about: "list orders, newest first",
  args: [],
  options: {
    ...orderFilterOptions,
    limit: `at most this many orders, ${USUAL} without it`,
    after: 'go on behind this place: "next" of the list before',
  },
  async run(call) {
    const filter = orderFilterIn(call)
    const size = limitIn(call.options.limit, USUAL)
    const page = await findOrders(servicesOf(call), filter, { size, beyond: placeOption(call.options.after) })
    const next = page.older && timedPlaceText(page.older)
    const cut = page.isCut ? ["The search took too long and was cut."] : []
    const more = next === null ? [] : [`More: --after ${next}`]
    return {
      text: [...linesOf(page.orders), ...cut, ...more].join("\n"),
      data: { orders: page.orders.map(jsonOrder), next, isCut: page.isCut },
    }
  },
}

export const searchForOrders: Command = {
  about:
    "find orders by number, invoice or credit note, email, username, the provider's payment id, or amount",
  args: ["TEXT"],
  options: { limit: `at most this many orders, ${USUAL} without it` },
  async run(call) {
    const [text = ""] = call.args
    const size = limitIn(call.options.limit, USUAL)
    const total = totalIn(text)
    const services = servicesOf(call)
    const { orders, isCut } =
      total === null
        ? await searchOrders(services, text, { limit: size })
        : await withTotal(services, total, size)
    return {
      text: [...linesOf(orders), ...(isCut ? ["There are more: name more of the text."] : [])].join("\n"),
      data: { orders: orders.map(jsonOrder), isCut },
    }
  },
}

async function withTotal(services: ReturnType<typeof servicesOf>, total: number, size: number) {
  const { orders, older } = await findOrders(services, { total }, { size })
  return { orders, isCut: older !== null }
}

/** Writes orders as a CSV file, in which no cell is a formula. */
export const exportOrderList: Command = {
  about: "write orders as a CSV file; - writes to standard output",
  args: ["FILE|-"],
  options: { ...orderFilterOptions, reason: "why, for the audit log" },
  required: ["reason"],
  async run(call) {
    const [file = ""] = call.args
    const reason = reasonIn(call.options.reason)
    const filter = orderFilterIn(call)
    await audited(call, { action: "export-orders", subject: "orders", reason }, async () => {
      const lines = exportOrders(servicesOf(call), filter)
      await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
      return { after: { filter }, value: null }
    })
    return {
      text: `Orders written to ${file === "-" ? "standard output" : file}. They contain emails: keep them private.`,
      data: { file },
    }
  },
}

function servicesOf({ billing, machineNow }: Call) {
  return { orders: billing.operator, now: machineNow }
}

/** A line for each order. */
export function linesOf(orders: readonly OrderListItem[]): string[] {
  if (orders.length === 0) return ["No orders."]
  return orders.map((it) =>
    [
      time(it.placedAt),
      it.id,
      it.status.padEnd(16),
      `${amount(it.received)} of ${amount(it.total)}`,
      it.email,
    ].join("  "),
  )
}

/** An order of a list in `--json` output. */
export function jsonOrder({ id, kind, status, total, received, promoCode, ...order }: OrderListItem) {
  return {
    number: id,
    kind,
    status,
    email: order.email,
    total: jsonAmount(total),
    received: jsonAmount(received),
    placedAt: jsonTime(order.placedAt),
    paidAt: order.paidAt === null ? null : jsonTime(order.paidAt),
    gateway: order.gateway,
    country: order.country,
    promotion: promoCode,
  }
}
