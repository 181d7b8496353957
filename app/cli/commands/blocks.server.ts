import { type Blocked, blockedIn } from "~/billing/embedded/fraud/block-value"
import { type Command, CommandError } from "../command"
import { time } from "../format"

export const block: Command = {
  args: ["VALUE"],
  options: ["reason"],
  async run({ billing, args: [value = ""], options, now }) {
    const blocked = blockedNamed(value)
    await billing.operator.block({ ...blocked, reason: options.reason?.trim() || null, at: now })
    return `Blocked ${blocked.kind} ${blocked.value}: its orders are put on fraud hold.`
  },
}

export const unblock: Command = {
  args: ["VALUE"],
  async run({ billing, args: [value = ""] }) {
    const blocked = blockedNamed(value)
    if (!(await billing.operator.unblock(blocked)))
      throw new CommandError(`Block of ${blocked.kind} ${blocked.value} not found.`)
    return `Unblocked ${blocked.kind} ${blocked.value}.`
  },
}

export const blocks: Command = {
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.blocks()
    if (listed.length === 0) return "No blocks."
    return listed
      .map(({ at, kind, value, reason }) =>
        [time(at), kind.padEnd(7), value, reason ?? ""].join("  ").trimEnd(),
      )
      .join("\n")
  },
}

function blockedNamed(value: string): Blocked {
  const blocked = blockedIn(value)
  if (blocked) return blocked
  throw new CommandError(
    `Invalid block "${value}": must be an IP address (192.0.2.7), a network (192.0.2.0/24) or a country (DE).`,
  )
}
