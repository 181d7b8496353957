import { audited } from "~/cli/audited.server"
import { type Command, CommandError, UsageError } from "~/cli/command"

/** Dismisses the refunds of an order that its gateway has refused: they leave the console's overview. */
export const dismissRefund: Command = {
  about: "dismiss the refunds of an order that its gateway has refused",
  args: ["NUMBER"],
  options: { reason: "why nothing more is to be done" },
  required: ["reason"],
  async run(call) {
    const { billing, options } = call
    const [number = ""] = call.args
    const reason = options.reason?.trim()
    if (!reason) throw new UsageError("Option --reason is required.")
    const refused = (await billing.refunds.ofOrder(number)).filter(({ state }) => state === "refused")
    if (refused.length === 0) throw new CommandError(`Order "${number}" has no refused refund.`)
    const about = { action: "dismiss-refund", subject: `order ${number}`, reason } as const
    const dismissed = await audited(call, about, async () => {
      let value = 0
      for (const { id } of refused) if (await billing.refunds.dismiss(id)) value++
      return { after: { dismissed: value }, value }
    })
    const what = dismissed === 1 ? "1 refused refund" : `${dismissed} refused refunds`
    return { text: `${what} of order ${number} dismissed.`, data: { order: number, dismissed } }
  },
}
