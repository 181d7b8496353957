import { audited } from "~/cli/audited.server"
import { type Command, CommandError, UsageError } from "~/cli/command"
import { amount, jsonAmount } from "~/cli/format"

/** Records that what a gateway has taken back of an order is settled: it leaves the console's overview. */
export const dismissChargeback: Command = {
  about: "record that what a gateway has taken back of an order is settled",
  args: ["NUMBER"],
  options: { reason: "why nothing more is to be done" },
  required: ["reason"],
  async run(call) {
    const { billing, options } = call
    const [number = ""] = call.args
    const reason = options.reason?.trim()
    if (!reason) throw new UsageError("Option --reason is required.")
    const details = await billing.operator.order(number)
    const chargeback = details?.chargeback
    if (!details || !chargeback?.isOpen) throw new CommandError(`Order "${number}" has no open chargeback.`)
    const { id } = details.order
    const about = { action: "dismiss-chargeback", subject: `order ${id}`, reason } as const
    await audited(call, about, async () => ({ after: { result: "done" }, value: null }))
    return {
      text: `The chargeback of ${amount(chargeback.amount)} of order ${id} is settled.`,
      data: { order: id, amount: jsonAmount(chargeback.amount) },
    }
  },
}
