import type { DatabaseSync } from "node:sqlite"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"

/** One callback to a shop. Several reports may carry the same message, to simulate a provider's duplicates. */
export type CallbackMessage = { messageId: string; protocol: string; url: string; body: string }
export type DueReport = CallbackMessage & { number: number; tries: number }

export type CallbackQueue = {
  add(report: CallbackMessage, due: Instant): void
  /** Lists at most 20 reports that are due at an instant, oldest first. */
  due(at: Instant): readonly DueReport[]
  /** When the next report is due; null if the queue is empty. */
  nextDue(): Instant | null
  /** Records a delivery attempt. `next`: time of the retry; null if the report is delivered or abandoned. */
  tried(number: number, next: Instant | null): void
}

const MAX_DELIVERIES_PER_RUN = 20

/** Creates the queue of pending callbacks, which is stored in the database and survives a restart. */
export function reportsIn(database: DatabaseSync): CallbackQueue {
  const insert = database.prepare(
    "INSERT INTO reports (message_id, protocol, url, body, tries, due) VALUES (?, ?, ?, ?, 0, ?)",
  )
  const selectDue = database.prepare("SELECT * FROM reports WHERE due <= ? ORDER BY due, number LIMIT ?")
  const selectNext = database.prepare("SELECT min(due) AS due FROM reports")
  const update = database.prepare("UPDATE reports SET tries = tries + 1, due = ? WHERE number = ?")
  return {
    add: ({ messageId, protocol, url, body }, due) => {
      insert.run(messageId, protocol, url, body, due)
    },
    due: (at) => selectDue.all(at, MAX_DELIVERIES_PER_RUN).map((row) => Row.parse(row)),
    nextDue: () => Next.parse(selectNext.get()).due,
    tried: (number, next) => {
      update.run(next, number)
    },
  }
}

const Next = z.object({ due: z.int().nullable() })
const Row = z
  .object({
    number: z.int(),
    message_id: z.string(),
    protocol: z.string(),
    url: z.string(),
    body: z.string(),
    tries: z.int(),
  })
  .transform(({ message_id, ...row }): DueReport => ({ ...row, messageId: message_id }))
