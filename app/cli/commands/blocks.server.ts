import { type Blocked, blockedIn } from "~/billing/embedded/fraud/block-value"
import { type Command, Refusal } from "../command"
import { time } from "../format"

export const block: Command = {
  takes: ["VALUE"],
  options: ["reason"],
  async run({ books, words: [word = ""], options, now }) {
    const blocked = blockedNamed(word)
    await books.operator.block({ ...blocked, reason: options.reason?.trim() || null, at: now })
    return `Orders from ${blocked.kind} ${blocked.value} are held from now on.`
  },
}

export const unblock: Command = {
  takes: ["VALUE"],
  async run({ books, words: [word = ""] }) {
    const blocked = blockedNamed(word)
    if (!(await books.operator.unblock(blocked)))
      throw new Refusal(`${blocked.kind} ${blocked.value} is not blocked.`)
    return `Orders from ${blocked.kind} ${blocked.value} are taken again.`
  },
}

export const blocks: Command = {
  takes: [],
  async run({ books }) {
    const listed = await books.operator.blocks()
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
  throw new Refusal(
    `"${word}" is neither an address such as 192.0.2.7, nor a network such as 192.0.2.0/24, nor a country such as DE.`,
  )
}
