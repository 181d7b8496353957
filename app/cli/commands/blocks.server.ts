import { type Blocked, blockedIn } from "~/billing/embedded/fraud/block-value"
import { type Command, CommandError } from "../command"
import { time } from "../format"

export const block: Command = {
  args: ["VALUE"],
  options: ["reason"],
  async run({ billing, args: [word = ""], options, now }) {
    const blocked = blockedNamed(word)
    await billing.operator.block({ ...blocked, reason: options.reason?.trim() || null, at: now })
    return `Orders from ${blocked.kind} ${blocked.value} are held from now on.`
  },
}

export const unblock: Command = {
  args: ["VALUE"],
  async run({ billing, args: [word = ""] }) {
    const blocked = blockedNamed(word)
    if (!(await billing.operator.unblock(blocked)))
      throw new CommandError(`${blocked.kind} ${blocked.value} is not blocked.`)
    return `Orders from ${blocked.kind} ${blocked.value} are taken again.`
  },
}

export const blocks: Command = {
  args: [],
  async run({ billing }) {
    const listed = await billing.operator.blocks()
    if (listed.length === 0) return "Nobody is blocked."
    return listed
      .map(({ at, kind, value, reason }) =>
        [time(at), kind.padEnd(7), value, reason ?? ""].join("  ").trimEnd(),
      )
      .join("\n")
  },
}

function blockedNamed(word: string): Blocked {
  const blocked = blockedIn(word)
  if (blocked) return blocked
  throw new CommandError(
    `"${word}" is neither an address such as 192.0.2.7, nor a network such as 192.0.2.0/24, nor a country such as DE.`,
  )
}
