import type { MailListed } from "~/billing/order-admin"
import { isEmail } from "~/domain/email"
import { type MailState, mailStates } from "~/domain/mail"
import { signWith } from "~/security/hmac.server"
import { secretsOf } from "~/wiring/generated-secrets.server"
import { openMailer } from "~/wiring/mail.server"
import { type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"

const USUAL = 20
const MAX = 10_000

/** Lists the mail log, newest first. */
export const listMail: Command = {
  about: "list messages with their state, newest first",
  args: [],
  optionalArg: "ORDER",
  options: {
    status: `only messages in this state: ${mailStates.join(", ")}`,
    limit: `at most this many messages, ${USUAL} without it`,
  },
  async run({ billing, args: [orderId], options }) {
    const filter = { limit: limitIn(options.limit), state: stateIn(options.status), orderId }
    const mails = await billing.operator.mails(filter)
    return { text: mails.map(lineOf).join("\n") || "No messages.", data: { mails: mails.map(jsonMail) } }
  },
}

/** Shows one message of the log. Its text is not stored: it is rendered anew when it is sent. */
export const showMail: Command = {
  about: "show a message: recipient, state, tries and the last answer",
  args: ["ID"],
  async run({ billing, args: [id = ""] }) {
    const mail = await billing.operator.mail(id)
    if (!mail) throw new CommandError(`Message "${id}" not found.`)
    const lines = [
      `Message  ${mail.id}`,
      `Name     ${mail.name}`,
      `To       ${mail.email ?? "the operator"}`,
      `Order    ${mail.orderId ?? "none"}`,
      `State    ${mail.state} after ${mail.tries} tries`,
      `Enqueued ${time(mail.createdAt)}`,
      `Settled  ${mail.settledAt === null ? "no" : time(mail.settledAt)}`,
      `Answer   ${mail.reason ?? "none"}`,
    ]
    return { text: lines.join("\n"), data: { mail: jsonMail(mail) } }
  },
}

/** Sends a message again, whatever became of it. */
export const resendMail: Command = {
  about: "send a message again, to the customer's current address",
  args: ["ID"],
  audit: ({ args: [id] }) => ({ action: "resend-mail", subject: `message ${id}` }),
  async run({ billing, args: [id = ""], now }) {
    if (!(await billing.operator.resendMail(id, now))) throw new CommandError(`Message "${id}" not found.`)
    return { text: `Message ${id} is due now. A running shop sends it within seconds.`, data: { id } }
  },
}

/** Sends a test message now, past the log. */
export const testMail: Command = {
  about: "send a test message to an address now",
  args: ["EMAIL"],
  audit: () => ({ action: "send-test-mail", subject: "mail server" }),
  async run({ config, args: [address = ""] }) {
    if (!isEmail(address)) throw new UsageError(`Invalid email address "${address}".`)
    const mailer = await openMailer(config, {
      signer: signWith(secretsOf(config), "links"),
      shopName: config.SHOP_NAME ?? "Boxoffice",
      sandboxUrl: config.SANDBOX_SMTP_PORT === 0 ? null : `smtp://127.0.0.1:${config.SANDBOX_SMTP_PORT}`,
    })
    if (mailer === null) throw new CommandError("Cannot send: SMTP_URL is not set.")
    const text = "This is a test message. The shop's mail goes out."
    const message = { subject: "Test message", text: `${text}\n`, html: `<p>${text}</p>` }
    const test = { id: crypto.randomUUID(), to: { name: "", address }, unsubscribeUrl: null, ...message }
    try {
      const outcome = await mailer.send(test, AbortSignal.timeout(60_000))
      const answer = outcome.kind === "sent" ? outcome.response : outcome.reason
      const data = { outcome: outcome.kind, answer }
      return { text: `${outcome.kind}: ${answer}`, data, isFailure: outcome.kind !== "sent" }
    } finally {
      mailer.close()
    }
  },
}

/** Lists suppressed addresses, or ends the suppressions of one. */
export const suppressedMail: Command = {
  about: "list addresses that get no mail; with an address and --force: send to it again",
  args: [],
  optionalArg: "EMAIL",
  flags: { force: "end the suppressions of this address" },
  audit: ({ args: [email] }) =>
    email === undefined ? null : { action: "lift-mail-suppression", subject: "suppressed address" },
  async run({ billing, args: [email], flags }) {
    if (flags.includes("force") !== (email !== undefined))
      throw new UsageError("Usage: mail suppressed [EMAIL --force]")
    if (email !== undefined) {
      const ended = await billing.operator.endSuppressions(email)
      return { text: `${ended} suppressions of ${email} ended.`, data: { ended } }
    }
    const all = await billing.operator.suppressions()
    const lines = all.map(
      ({ email: address, scope, reason, at }) => `${time(at)}  ${scope}  ${address}  ${reason}`,
    )
    return {
      text: lines.join("\n") || "No suppressed addresses.",
      data: { suppressed: all.map(({ at, ...it }) => ({ ...it, at: jsonTime(at) })) },
    }
  },
}

function lineOf({ id, createdAt, name, orderId, email, ...mail }: MailListed): string {
  const order = orderId === null ? "no order" : `order ${orderId}`
  return [time(createdAt), id, name, order, email ?? "the operator", outcomeOf(mail)].join("  ")
}

/** State of a message with its tries and the last answer. */
export function outcomeOf({ state, tries, reason }: Pick<MailListed, "state" | "tries" | "reason">): string {
  return `${state} after ${tries} tries${reason === null ? "" : `: ${reason}`}`
}

/** A message in `--json` output. */
export function jsonMail({ createdAt, settledAt, orderId, ...mail }: MailListed) {
  const settled = settledAt === null ? null : jsonTime(settledAt)
  return { ...mail, order: orderId, createdAt: jsonTime(createdAt), settledAt: settled }
}

function stateIn(value: string | undefined): MailState | undefined {
  const state = mailStates.find((it) => it === value)
  if (value === undefined || state) return state
  throw new UsageError(`Unknown state "${value}". Valid: ${mailStates.join(", ")}.`)
}

function limitIn(value: string | undefined): number {
  if (value === undefined) return USUAL
  const limit = /^\d+$/.test(value) ? Number(value) : 0
  if (limit < 1 || limit > MAX) throw new UsageError(`--limit must be between 1 and ${MAX}.`)
  return limit
}
