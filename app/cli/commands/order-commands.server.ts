import type { Attempt } from "~/billing/payment-repository"
import type { Order } from "~/domain/order"
import { GatewayError } from "~/gateways/gateway"
import { type Call, type Command, Refusal } from "../command"
import { amount } from "../format"

/** Asks the gateways what has become of an order's payments, and books what they say. */
export const ask: Command = {
  takes: ["NUMBER"],
  async run(call) {
    const { books, words } = call
    const order = await orderNamed(call, words[0] ?? "")
    const open = await books.till.openAttempts(order.id)
    if (open.length === 0) return `${statusOf(order)}\nNo payment of it is open.`
    const told = []
    for (const attempt of open) told.push(await askAbout(call, attempt))
    return [statusOf(await orderNamed(call, order.id)), ...told].join("\n")
  },
}

/** The operator has the money: the order is paid by his word, and what it is for is set up. */
export const paid: Command = {
  takes: ["NUMBER"],
  run: (call) => move(call, "paid"),
}

/** Gives an unpaid order up, with its promotion's use and the credit that was to pay it. */
export const cancel: Command = {
  takes: ["NUMBER"],
  run: (call) => move(call, "aborted"),
}

async function move(call: Call, event: "paid" | "aborted"): Promise<string> {
  const before = await orderNamed(call, call.words[0] ?? "")
  const after = await call.books.billing.moveOrder(before.id, event, call.now)
  if (!after || after.status === before.status) {
    throw new Refusal(`An order that is ${before.status} stays as it is.`)
  }
  return statusOf(after)
}

async function askAbout({ books, gateways, config, now }: Call, attempt: Attempt): Promise<string> {
  const { gateway: id, paymentId } = attempt
  const gateway = gateways().get(id)
  if (!gateway || !paymentId) return `  ${id}  is not among the GATEWAYS`
  try {
    const news = await gateway.askPayment({ paymentId })
    if (!news) return `  ${id}  cannot be asked`
    await books.till.record(id, news, now, config.PAYMENT_TOLERANCE[id])
    return `  ${id}  says ${news.status}, ${amount(news.received)}`
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return `  ${id}  gave no answer (${error.kind})`
  }
}

async function orderNamed({ books }: Call, number: string): Promise<Order> {
  const order = await books.billing.order(number)
  if (!order) throw new Refusal(`No order "${number}".`)
  return order
}

function statusOf({ id, status, total, received }: Order): string {
  return `Order ${id} is ${status}: ${amount(received)} of ${amount(total)} received.`
}
