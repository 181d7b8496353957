import { type Command, CommandError } from "../command"

export const resellers: Command = {
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.resellers()
    if (listed.length === 0) return "No resellers."
    const line = (active: string, balance: string, email: string) =>
      [active.padStart(12), balance.padStart(9), email].join("  ")
    return [
      line("Active plans", "Credits", "E-mail"),
      ...listed.map(({ active, balance, email }) => line(String(active), String(balance), email)),
    ].join("\n")
  },
}

/** Limit of one grant, against typing errors. */
const MAX = 100_000

export const grantCredits: Command = {
  args: ["EMAIL", "N"],
  options: ["reason"],
  async run({ billing, args: [email = "", sum = ""], options, now }) {
    const amount = /^\+?(\d{1,6})$/.test(sum) ? Number(sum) : 0
    if (amount < 1 || amount > MAX)
      throw new CommandError(`Invalid number of credits "${sum}": must be between 1 and ${MAX}.`)
    const reason = options.reason?.trim() || null
    const balance = await billing.operator.grantResellerCredits({ email, amount, reason, at: now })
    if (balance === null) throw new CommandError("Customer not found.")
    return `${amount} credits granted; new balance ${balance}.`
  },
}
