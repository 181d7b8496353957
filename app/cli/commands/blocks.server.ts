import { blockedIn } from "~/billing/embedded/fraud/block-value"
import { isEmail } from "~/domain/email"
import type { Blocked } from "~/domain/fraud"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { customerNamed } from "../find-customer.server"
import { jsonTime, time } from "../format"

export const addBlock: Command = {
  about: "block an IP address, a network (192.0.2.0/24), a country, or a customer by email",
  args: ["VALUE"],
  options: { reason: "why, for the list" },
  audit: async (call) => ({ action: "add-block", subject: await subjectOf(call) }),
  async run(call) {
    const { billing, options, now } = call
    const blocked = await blockedNamed(call)
    await billing.operator.block({ ...blocked, reason: options.reason?.trim() || null, at: now })
    return {
      text: `Blocked ${blocked.kind} ${blocked.value}: its orders are put on fraud hold.`,
      data: { kind: blocked.kind, value: blocked.value },
    }
  },
}

export const removeBlock: Command = {
  about: "remove a block",
  args: ["VALUE"],
  audit: async (call) => ({ action: "remove-block", subject: await subjectOf(call) }),
  async run(call) {
    const { billing } = call
    const blocked = await blockedNamed(call)
    if (!(await billing.operator.unblock(blocked)))
      throw new CommandError(`Block of ${blocked.kind} ${blocked.value} not found.`)
    return {
      text: `Unblocked ${blocked.kind} ${blocked.value}.`,
      data: { kind: blocked.kind, value: blocked.value },
    }
  },
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

/** A customer is named by the id: the audit log has no email addresses. */
async function subjectOf(call: Call): Promise<string> {
  const { kind, value } = await blockedNamed(call)
  return kind === "customer" ? `customer ${value}` : `block ${value}`
}

async function blockedNamed({ billing, args: [value = ""] }: Call): Promise<Blocked> {
  if (isEmail(value)) return { kind: "customer", value: (await customerNamed(billing, value)).id }
  const blocked = blockedIn(value)
  if (blocked) return blocked
  throw new UsageError(
    `Invalid block "${value}": must be an IP address (192.0.2.7), a network (192.0.2.0/24), a country (DE), or a customer's email.`,
  )
}
