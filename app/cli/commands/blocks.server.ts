import type { Blocked } from "~/domain/orders/fraud"
import { blockedNamed, changeBlock, subjectOfBlock } from "~/flows/admin/manage-blocks.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"

export const addBlock: Command = {
  about:
    "block an IP address, a network (192.0.2.0/24), a country, a device (00:1A:79:12:34:56), or a customer by email",
  args: ["VALUE"],
  options: { reason: "why, for the list" },
  audit: async (call) => ({ action: "add-block", subject: subjectOfBlock(await blockedIn(call)) }),
  async run(call) {
    const { kind, value } = await changed(call, "add-block")
    return { text: `Blocked ${kind} ${value}: its orders are put on fraud hold.`, data: { kind, value } }
  },
}

export const removeBlock: Command = {
  about: "remove a block",
  args: ["VALUE"],
  options: { reason: "why, for the audit log" },
  audit: async (call) => ({ action: "remove-block", subject: subjectOfBlock(await blockedIn(call)) }),
  async run(call) {
    const { kind, value } = await changed(call, "remove-block")
    return { text: `Unblocked ${kind} ${value}.`, data: { kind, value } }
  },
}

async function changed(call: Call, action: "add-block" | "remove-block"): Promise<Blocked> {
  const { billing, options, now } = call
  const blocked = await blockedIn(call)
  const change = { action, reason: options.reason?.trim() || null, at: now }
  if (await changeBlock(billing.operator, blocked, change)) return blocked
  throw new CommandError(`Block of ${blocked.kind} ${blocked.value} not found.`)
}

export const listBlocks: Command = {
  about: "list blocks",
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.blocks()
    const lines = listed.map(({ at, kind, value, reason }) =>
      [time(at), kind.padEnd(7), value, reason ?? ""].join("  ").trimEnd(),
    )
    return {
      text: lines.join("\n") || "No blocks.",
      data: {
        blocks: listed.map(({ at, kind, value, reason }) => ({ kind, value, reason, at: jsonTime(at) })),
      },
    }
  },
}

async function blockedIn({ billing, args: [value = ""] }: Call): Promise<Blocked> {
  const blocked = await blockedNamed(billing.operator, value)
  if (blocked === "no-such-customer") throw new CommandError("Customer not found.")
  if (blocked !== "value-invalid") return blocked
  throw new UsageError(
    `Invalid block "${value}": must be an IP address (192.0.2.7), a network (192.0.2.0/24), a country (DE), a device (00:1A:79:12:34:56), or a customer's email.`,
  )
}
