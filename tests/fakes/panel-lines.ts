import { z } from "zod"
import { LineMessage } from "~/provisioning/webhook/line-message"

/** A line as the panel stores it. */
export type StoredLine = {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly connections: number
  readonly isSuspended: boolean
  readonly paidUntil: string | null
  /** Timestamp of the last message applied. */
  readonly at: string
}

type Answer = { readonly status: 200 | 404 | 422; readonly body: Readonly<Record<string, string>> }

const done: Answer = { status: 200, body: {} }

/**
 * The lines of an operator's panel that does no more than docs/panel.md asks: it knows a repeat by its id only, so another
 * `line.create` is another line; it ignores a message older than the last, rejects members that the schema does not have,
 * and has a 404 for a line it does not know.
 */
export function panelLines(host: string) {
  const answered = new Map<string, Answer>()
  let lines: StoredLine[] = []

  function apply({ type, timestamp: at, data }: z.output<typeof LineMessage>): Answer {
    const { id, username, password, connections, paidUntil } = data
    if (type === "line.create") {
      lines.push({ id, username, password, connections, paidUntil, isSuspended: false, at })
      return { status: 200, body: { host } }
    }
    const isMeant = (it: StoredLine) => it.id === id && it.username === username
    if (!lines.some(isMeant)) return { status: 404, body: {} }
    const isLate = (it: StoredLine) => !isMeant(it) || at < it.at
    if (type === "line.terminate") lines = lines.filter(isLate)
    else lines = lines.map((it) => (isLate(it) ? it : { ...it, ...changes[type]?.(data), at }))
    return done
  }

  return {
    /** What the panel answers to a message. Its id is the header `webhook-id`. */
    receive(id: string, text: string): Answer {
      const message = LineMessage.safeParse(JSON.parse(text))
      if (!message.success) return { status: 422, body: { error: z.prettifyError(message.error) } }
      const answer = answered.get(id) ?? apply(message.data)
      answered.set(id, answer)
      return answer
    },
    lines: (): readonly StoredLine[] => lines,
    /** The line with these credentials, if it may stream. */
    streaming: (username: string | null, password: string | null): StoredLine | undefined =>
      lines.find((it) => it.username === username && it.password === password && !it.isSuspended),
  }
}

type Data = z.output<typeof LineMessage>["data"]

const changes: Partial<Record<z.output<typeof LineMessage>["type"], (data: Data) => Partial<StoredLine>>> = {
  "line.extend": ({ paidUntil }) => ({ paidUntil }),
  "line.suspend": () => ({ isSuspended: true }),
  "line.resume": ({ paidUntil }) => ({ isSuspended: false, paidUntil }),
  "line.connections": ({ connections }) => ({ connections }),
}
