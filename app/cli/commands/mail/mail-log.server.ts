import type { MailListed } from "~/billing/orders/order-admin"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { counted, jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { shopTexts } from "~/cli/shop-texts.server"
import { isEmail } from "~/domain/customers/email"
import { mailStates } from "~/domain/shop/mail"
import { SUPPRESSED_ADDRESS } from "~/flows/admin/act-on-mail.server"
import { findMails, mailQueryIn } from "~/flows/admin/find-mails.server"
import { timedPlaceIn, timedPlaceText } from "~/flows/admin/keyset-pages.server"
import { answerIn, MAIL_SERVER, sendTestMail } from "~/flows/admin/send-test-mail.server"
import { signWith } from "~/security/hmac.server"
import { secretsOf } from "~/wiring/generated-secrets.server"
import { hasMailServer, openMailer } from "~/wiring/mail.server"

const USUAL = 20

/** Lists the mail log, newest first. */
export const listMail: Command = {
  about: "list messages with their state, newest first",
  args: [],
  optionalArg: "ORDER",
  options: {
    status: `only messages in this state: ${mailStates.join(", ")}`,
    address: "only messages to this address, or to those that begin with it",
    limit: `at most this many messages, ${USUAL} without it`,
    after: "those behind this place",
  },
  async run(call) {
    const { billing, args, options } = call
    const query = queryIn(call)
    const limit = limitIn(options.limit, USUAL)
    const [orderId] = args
    if (orderId !== undefined) {
      const ofOrder = await billing.operator.mails({ orderId, limit: MAX_OF_ORDER })
      const mails = ofOrder.filter(({ state }) => query.state === undefined || state === query.state)
      return listed(mails.slice(0, limit), null)
    }
    const finder = { mail: billing.operator, now: call.machineNow }
    const { rows, older } = await findMails(finder, query, { size: limit, beyond: placeIn(call) })
    return listed(rows, older && timedPlaceText(older))
  },
}

function queryIn({ args: [orderId], options: { status = "", address = "", after } }: Call) {
  const texts = { state: status, address }
  const { query, invalid } = mailQueryIn((field) => texts[field], { wholeAddresses: false })
  if (invalid.includes("state"))
    throw new UsageError(`Unknown state "${status}". Valid: ${mailStates.join(", ")}.`)
  if (invalid.includes("address")) throw new UsageError("--address must have at least three characters.")
  if (orderId !== undefined && (query.address || after))
    throw new UsageError("ORDER goes with --status and --limit alone.")
  return query
}

function placeIn({ options: { after } }: Call) {
  const place = after === undefined ? undefined : timedPlaceIn(after)
  if (place === null) throw new UsageError(`Invalid --after "${after}".`)
  return place
}

/** An order has a few messages. */
const MAX_OF_ORDER = 1_000

function listed(mails: readonly MailListed[], next: string | null) {
  return { text: mails.map(lineOf).join("\n") || "No messages.", data: { mails: mails.map(jsonMail), next } }
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
      `State    ${mail.state} after ${counted(mail.tries, "try", "tries")}`,
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
  options: { reason: "why, for the audit log" },
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
  options: { reason: "why, for the audit log" },
  audit: () => ({ action: "send-test-mail", subject: MAIL_SERVER }),
  async run({ billing, config, args: [address = ""] }) {
    if (!isEmail(address)) throw new UsageError(`Invalid email address "${address}".`)
    const { brand } = await shopTexts({ billing, config })
    const mailer = await openMailer(config, {
      signer: signWith(secretsOf(config), "links"),
      shopName: () => brand.name,
      sandboxUrl: config.SANDBOX_SMTP_PORT === 0 ? null : `smtp://127.0.0.1:${config.SANDBOX_SMTP_PORT}`,
    })
    if (mailer === null) throw new CommandError(`Cannot send: ${noServer(config)}`)
    try {
      const outcome = await sendTestMail(mailer, address)
      const answer = answerIn(outcome)
      const data = { outcome: outcome.kind, answer }
      return { text: `${outcome.kind}: ${answer}`, data, isFailure: outcome.kind !== "sent" }
    } finally {
      mailer.close()
    }
  },
}

function noServer(config: Call["config"]): string {
  if (!hasMailServer(config)) return "no mail server is set. Set SMTP_URL and MAIL_FROM."
  return "the sandbox's mail server has another port at each start. Use the console's page \"Mail\", or set SANDBOX_SMTP_PORT and start the shop again."
}

/** Lists suppressed addresses, or ends the suppressions of one. */
export const suppressedMail: Command = {
  about: "list addresses that get no mail; with an address and --force: send to it again",
  args: [],
  optionalArg: "EMAIL",
  options: { reason: "why it is sent to again, for the audit log" },
  flags: { force: "end the suppressions of this address" },
  audit: ({ args: [email] }) =>
    email === undefined ? null : { action: "allow-address", subject: SUPPRESSED_ADDRESS },
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
  return `${state} after ${counted(tries, "try", "tries")}${reason === null ? "" : `: ${reason}`}`
}

/** A message in `--json` output. */
export function jsonMail({ createdAt, settledAt, orderId, ...mail }: MailListed) {
  const settled = settledAt === null ? null : jsonTime(settledAt)
  return { ...mail, order: orderId, createdAt: jsonTime(createdAt), settledAt: settled }
}
