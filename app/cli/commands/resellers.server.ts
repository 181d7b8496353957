import type { ResellerEntry, ResellerListItem } from "~/billing/reseller-admin"
import { allEntries, creditsIn, MOST_CREDITS, statementFile } from "~/flows/admin/manage-resellers.server"
import { ofCustomer } from "../audited.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { onDisk, writePrivately } from "../files.server"
import { customerNamed } from "../find-customer.server"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"
import { endOption, startOption } from "../order-filter.server"

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

export const grantCredits: Command = {
  about:
    "grant reseller credits, which the reseller uses when signed in by email, not under the sign-up's password",
  args: ["EMAIL", "N"],
  options: { reason: "why, for the ledger" },
  audit: ofCustomer("grant-reseller-credits"),
  async run({ billing, args: [email = "", sum = ""], options, now }) {
    const amount = creditsIn(sum)
    if (amount === null)
      throw new UsageError(`Invalid number of credits "${sum}": must be between 1 and ${MOST_CREDITS}.`)
    const reason = options.reason?.trim() || null
    const { id: customerId } = await customerNamed(billing, email)
    const balance = await billing.operator.grantResellerCredits({ customerId, amount, reason, at: now })
    if (balance === null) throw new CommandError("Customer not found.")
    return { text: `${amount} credits granted; new balance ${balance}.`, data: { granted: amount, balance } }
  },
}

const SHOWN = 50

export const showReseller: Command = {
  about: "show a reseller: credits, newest ledger entries and newest lines",
  args: ["EMAIL"],
  options: { limit: `at most this many entries and lines, ${SHOWN} without it` },
  async run(call) {
    const { operator } = call.billing
    const limit = limitIn(call.options.limit, SHOWN)
    const { id, email, activePlans, credits, lines: count } = await resellerNamed(call)
    const entries = await operator.resellerEntries(id, { limit })
    const lines = await operator.resellerLines(id, { limit })
    const text = [
      `${email}  ${activePlans} active plans  ${credits} credits  ${count} lines`,
      ...entries.map(entryLine),
      ...lines.map(({ username, status, customerName, paidUntil }) =>
        [username, status, paidUntil === null ? "" : time(paidUntil), customerName].join("  "),
      ),
    ]
    return {
      text: text.join("\n"),
      data: {
        reseller: { email, activePlans, credits, lines: count },
        entries: entries.map(({ id: _, at, orderId, ...entry }) => ({
          ...entry,
          order: orderId,
          at: jsonTime(at),
        })),
        lines: lines.map(({ id: number, createdAt, paidUntil, ...line }) => ({
          number,
          ...line,
          createdAt: jsonTime(createdAt),
          paidUntil: paidUntil === null ? null : jsonTime(paidUntil),
        })),
      },
    }
  },
}

export const resellerStatement: Command = {
  about: "write the ledger of a reseller's credits as a CSV file; - writes to standard output",
  args: ["EMAIL", "FILE|-"],
  options: {
    from: "from this day on",
    to: "to this day, included",
    reason: "why, for the audit log",
  },
  required: ["reason"],
  audit: ofCustomer("export-reseller-credits"),
  async run(call) {
    const [, file = ""] = call.args
    const { from, to } = call.options
    const { TIME_ZONE } = call.config
    const span = { from: startOption("from", from, TIME_ZONE), until: endOption("to", to, TIME_ZONE) }
    const { id } = await resellerNamed(call)
    const lines = statementFile(allEntries(call.billing.operator, id, span))
    await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
    return { text: `Statement written to ${file === "-" ? "standard output" : file}.`, data: { file } }
  },
}

async function resellerNamed(call: Call): Promise<ResellerListItem> {
  const { id } = await customerNamed(call.billing, call.args[0] ?? "")
  const reseller = await call.billing.operator.reseller(id)
  if (!reseller) throw new CommandError("The customer has no reseller plan.")
  return reseller
}

function entryLine({ at, cause, amount, orderId, customerName, reason }: ResellerEntry): string {
  return [time(at), cause, amount, orderId, customerName, reason].filter((it) => it !== null).join("  ")
}
