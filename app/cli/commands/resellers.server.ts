import { ofCustomer } from "../audited.server"
import { type Command, CommandError, UsageError } from "../command"

export const listResellers: Command = {
  about: "list resellers and their credits",
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.resellers()
    const data = {
      resellers: listed.map(({ email, active, balance }) => ({
        email,
        activePlans: active,
        credits: balance,
      })),
    }
    if (listed.length === 0) return { text: "No resellers.", data }
    const line = (active: string, balance: string, email: string) =>
      [active.padStart(12), balance.padStart(9), email].join("  ")
    const lines = [
      line("Active plans", "Credits", "E-mail"),
      ...listed.map(({ active, balance, email }) => line(String(active), String(balance), email)),
    ]
    return { text: lines.join("\n"), data }
  },
}

/** Limit of one grant, against typing errors. */
const MAX = 100_000

export const grantCredits: Command = {
  about: "grant reseller credits",
  args: ["EMAIL", "N"],
  options: { reason: "why, for the ledger" },
  audit: ofCustomer("grant-credits"),
  async run({ billing, args: [email = "", sum = ""], options, now }) {
    const amount = /^\+?(\d{1,6})$/.test(sum) ? Number(sum) : 0
    if (amount < 1 || amount > MAX)
      throw new UsageError(`Invalid number of credits "${sum}": must be between 1 and ${MAX}.`)
    const reason = options.reason?.trim() || null
    const balance = await billing.operator.grantResellerCredits({ email, amount, reason, at: now })
    if (balance === null) throw new CommandError("Customer not found.")
    return { text: `${amount} credits granted; new balance ${balance}.`, data: { granted: amount, balance } }
  },
}
