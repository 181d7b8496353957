import type { DatabaseSync } from "node:sqlite"
import type { Email } from "postal-mime"
import type { Instant } from "~/domain/calendar"
import { type DeliveryOutcome, isDeliveryOutcome } from "./delivery-outcomes"

/** A received message as it came over SMTP. */
export type StoredMessage = {
  readonly number: number
  readonly at: Instant
  readonly envelopeFrom: string
  readonly envelopeTo: string
  readonly source: string
}

/** A message with its parsed headers and parts. */
export type ReceivedMessage = StoredMessage & {
  readonly subject: string
  readonly from: string
  readonly to: string
  readonly messageId: string
  readonly html: string
  readonly text: string
  readonly headers: readonly { readonly key: string; readonly value: string }[]
}

export type Messages = {
  add(message: Omit<StoredMessage, "number">): void
  /** The latest messages, newest first. */
  list(): Promise<readonly ReceivedMessage[]>
  find(number: number): Promise<ReceivedMessage | null>
  empty(): void
  outcome(): DeliveryOutcome
  setOutcome(outcome: DeliveryOutcome): void
}

/** Older messages are deleted, so that a shop that runs for months does not fill the disk. */
const KEPT = 500
const LISTED = 100

/** Creates the repository of received messages and of the chosen outcome; both survive a restart. */
export function messagesIn(database: DatabaseSync): Messages {
  database.exec(`
    CREATE TABLE IF NOT EXISTS messages (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      envelope_from TEXT NOT NULL,
      envelope_to TEXT NOT NULL,
      source TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `)
  const insert = database.prepare(
    "INSERT INTO messages (at, envelope_from, envelope_to, source) VALUES (?, ?, ?, ?)",
  )
  const deleteOld = database.prepare(
    `DELETE FROM messages WHERE number <= (SELECT max(number) FROM messages) - ${KEPT}`,
  )
  const latest = database.prepare(`SELECT * FROM messages ORDER BY number DESC LIMIT ${LISTED}`)
  const byNumber = database.prepare("SELECT * FROM messages WHERE number = ?")
  const deleteAll = database.prepare("DELETE FROM messages")
  const read = database.prepare("SELECT value FROM settings WHERE name = 'mail-outcome'")
  const write = database.prepare(
    "INSERT INTO settings (name, value) VALUES ('mail-outcome', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  return {
    add({ at, envelopeFrom, envelopeTo, source }) {
      insert.run(at, envelopeFrom, envelopeTo, source)
      deleteOld.run()
    },
    list: () => Promise.all(latest.all().map((row) => parsed(stored(row)))),
    async find(number) {
      const row = byNumber.get(number)
      return row ? parsed(stored(row)) : null
    },
    empty: () => void deleteAll.run(),
    outcome() {
      const chosen = read.get()?.value
      return isDeliveryOutcome(chosen) ? chosen : "accept"
    },
    setOutcome: (outcome) => void write.run(outcome),
  }
}

type Row = Record<string, unknown>

function stored({ number, at, envelope_from, envelope_to, source }: Row): StoredMessage {
  return {
    number: Number(number),
    at: Number(at),
    envelopeFrom: String(envelope_from),
    envelopeTo: String(envelope_to),
    source: String(source),
  }
}

async function parsed(message: StoredMessage): Promise<ReceivedMessage> {
  const { default: PostalMime } = await import("postal-mime")
  const email = await PostalMime.parse(message.source)
  return {
    ...message,
    subject: email.subject ?? "",
    from: addressOf(email.from),
    to: (email.to ?? []).map(addressOf).join(", "),
    messageId: email.messageId ?? "",
    html: email.html ?? "",
    text: email.text ?? "",
    headers: email.headers.map(({ key, value }) => ({ key, value })),
  }
}

function addressOf(address: Email["from"]): string {
  if (!address) return ""
  const { name, address: mailbox = "" } = address
  return name ? `${name} <${mailbox}>` : mailbox
}
