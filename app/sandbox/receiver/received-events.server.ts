import type { DatabaseSync } from "node:sqlite"
import type { Instant } from "~/domain/calendar"
import { isReceiverAnswer, type ReceiverAnswer } from "./receiver-answers"

/** `unknown`: the receiver had no secret to verify it by. */
export type Verdict = "verified" | "invalid" | "unknown"

/** An event as it came. `id`: the `webhook-id` header, which is the same if it comes again. */
export type ReceivedEvent = {
  readonly number: number
  readonly at: Instant
  readonly path: string
  readonly id: string
  readonly verdict: Verdict
  readonly body: string
}

export type ReceivedEvents = {
  add(event: Omit<ReceivedEvent, "number">): void
  /** The latest events, newest first. */
  list(): readonly ReceivedEvent[]
  empty(): void
  chosenAnswer(): ReceiverAnswer
  setAnswer(answer: ReceiverAnswer): void
  /** The secret by which events are verified; null without one. */
  secret(): string | null
  setSecret(secret: string): void
}

/** Older events are deleted, so that a shop that runs for months does not fill the disk. */
const KEPT = 500
const LISTED = 100

const ANSWER = "receiver-answer"
const SECRET = "receiver-secret"

/** Creates the repository of received events, of the chosen answer and of the secret; all survive a restart. */
export function receivedEventsIn(database: DatabaseSync): ReceivedEvents {
  database.exec(`
    CREATE TABLE IF NOT EXISTS received_events (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      path TEXT NOT NULL,
      id TEXT NOT NULL,
      verdict TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `)
  const insert = database.prepare(
    "INSERT INTO received_events (at, path, id, verdict, body) VALUES (?, ?, ?, ?, ?)",
  )
  const deleteOld = database.prepare(
    `DELETE FROM received_events WHERE number <= (SELECT max(number) FROM received_events) - ${KEPT}`,
  )
  const latest = database.prepare(`SELECT * FROM received_events ORDER BY number DESC LIMIT ${LISTED}`)
  const deleteAll = database.prepare("DELETE FROM received_events")
  const read = database.prepare("SELECT value FROM settings WHERE name = ?")
  const write = database.prepare(
    "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  return {
    add({ at, path, id, verdict, body }) {
      insert.run(at, path, id, verdict, body)
      deleteOld.run()
    },
    list: () => latest.all().map(stored),
    empty: () => void deleteAll.run(),
    chosenAnswer() {
      const chosen = read.get(ANSWER)?.value
      return isReceiverAnswer(chosen) ? chosen : "accept"
    },
    setAnswer: (answer) => void write.run(ANSWER, answer),
    secret() {
      const secret = read.get(SECRET)?.value
      return typeof secret === "string" && secret !== "" ? secret : null
    },
    setSecret: (secret) => void write.run(SECRET, secret),
  }
}

function stored({ number, at, path, id, verdict, body }: Record<string, unknown>): ReceivedEvent {
  return {
    number: Number(number),
    at: Number(at),
    path: String(path),
    id: String(id),
    verdict: verdict === "verified" || verdict === "invalid" ? verdict : "unknown",
    body: String(body),
  }
}
