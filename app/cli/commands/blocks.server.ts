import { type Blocked, blockedIn } from "~/billing/embedded/fraud/block-value"
import { type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"

export const addBlock: Command = {
  about: "block an IP address, a network (192.0.2.0/24) or a country",
  args: ["VALUE"],
  options: { reason: "why, for the list" },
  async run({ billing, args: [value = ""], options, now }) {
    const blocked = blockedNamed(value)
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
  async run({ billing, args: [value = ""] }) {
    const blocked = blockedNamed(value)
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

function blockedNamed(value: string): Blocked {
  const blocked = blockedIn(value)
  if (blocked) return blocked
  throw new UsageError(
    `Invalid block "${value}": must be an IP address (192.0.2.7), a network (192.0.2.0/24) or a country (DE).`,
  )
}
