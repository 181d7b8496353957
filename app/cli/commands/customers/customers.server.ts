import type { CustomerDetails, CustomerListItem } from "~/billing/customers/customer-admin"
import { approvalResult } from "~/cli/approval-result"
import { ofCustomer } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { customerNamed } from "~/cli/find-customer.server"
import { amount, ELSEWHERE, jsonAmount, jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { placeOption } from "~/cli/place-option"
import { isEmail } from "~/domain/customers/email"
import { askForCredit, CLI_OPERATOR } from "~/flows/admin/ask-for-approval.server"
import {
  type CustomerChange,
  type CustomerChanging,
  type CustomerProblem,
  changeCustomer,
  grantedBy,
} from "~/flows/admin/customers/change-customer.server"
import { exportCustomers } from "~/flows/admin/customers/export-customers.server"
import { listCustomers, searchCustomers } from "~/flows/admin/customers/find-customers.server"
import { timedPlaceText } from "~/flows/admin/keyset-pages.server"
import { signWith } from "~/security/hmac.server"
import { approvalLimitOf } from "~/wiring/approval-limit.server"
import { secretsOf } from "~/wiring/generated-secrets.server"
import { senderOf } from "~/wiring/mail.server"
import { newId } from "~/wiring/new-id.server"

const USUAL = 20

export const listCustomersCommand: Command = {
  about: "list customers, newest first",
  args: [],
  options: {
    limit: `at most this many customers, ${USUAL} without it`,
    after: 'go on behind this place: "next" of the list before',
  },
  async run(call) {
    const { limit, after } = call.options
    const request = { size: limitIn(limit, USUAL), beyond: placeOption(after) }
    const page = await listCustomers(finderOf(call), request)
    const next = page.older && timedPlaceText(page.older)
    const more = next === null ? [] : [`More: --after ${next}`]
    return {
      text: [...linesOf(page.rows), ...more].join("\n"),
      data: { customers: page.rows.map(jsonListed), next },
    }
  },
}

/** Writes all customers as a CSV file, in which no cell is a formula. */
export const exportCustomerList: Command = {
  about: "write all customers as a CSV file; - writes to standard output",
  args: ["FILE|-"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: () => ({ action: "export-customers", subject: "customers" }),
  async run({ billing, args: [file = ""], write }) {
    const lines = exportCustomers({ customers: billing.operator })
    await onDisk(file === "-" ? write(lines) : writePrivately(file, lines))
    return {
      text: `Customers written to ${file === "-" ? "standard output" : file}. They contain emails: keep them private.`,
      data: { file },
    }
  },
}

export const searchForCustomers: Command = {
  about: "find customers by email or username, or their beginning, or by the number of an order",
  args: ["TEXT"],
  options: { limit: `at most this many customers, ${USUAL} without it` },
  async run(call) {
    const { args, options } = call
    const found = await searchCustomers(finderOf(call), args[0] ?? "", {
      limit: limitIn(options.limit, USUAL),
    })
    const more = found.isCut ? ["There are more: name more of the text."] : []
    return {
      text: [...linesOf(found.customers), ...more].join("\n"),
      data: { customers: found.customers.map(jsonListed), isCut: found.isCut },
    }
  },
}

export const showCustomer: Command = {
  about: "show one customer: services, orders, payments, account credit, messages, blocks",
  args: ["EMAIL"],
  async run(call) {
    const customer = await customerOf(call)
    return { text: textOf(customer).join("\n"), data: { customer: jsonCustomer(customer) } }
  },
}

export const grantAccountCreditTo: Command = {
  about: "give a customer account credit that no payment has bought",
  args: ["EMAIL"],
  options: {
    amount: "such as 12.50",
    currency: "currency of the credit; the customer's without it",
    reason: "why, for the customer's page and the audit log",
  },
  required: ["amount", "reason"],
  audit: ofCustomer("grant-credit"),
  async run(call) {
    const { amount: typed, currency } = call.options
    const fields = { action: "grant-credit", amount: typed, currency } as const
    const customer = await customerOf(call)
    const asked = await askedFirst(call, customer, fields)
    if (asked) return approvalResult(asked)
    await change(call, customer, fields)
    const { id } = customer
    const credit = (await call.billing.operator.customer(id))?.credit ?? []
    return {
      text: `Granted. Account credit: ${credit.map(amount).join(", ")}.`,
      data: { credit: credit.map(jsonAmount) },
    }
  },
}

/** Also of a customer who has proven the address, which the console leaves to the command line. */
export const changeCustomerEmail: Command = {
  about: "change a customer's email",
  args: ["EMAIL", "NEW_EMAIL"],
  options: { reason: "why, for the audit log" },
  audit: ofCustomer("correct-email"),
  async run(call) {
    const [, email = ""] = call.args
    if (!isEmail(email)) throw new UsageError(`Invalid email address "${email}".`)
    await changed(call, { action: "correct-email", email }, call.options.reason?.trim() || "asked for")
    return {
      text: "Email changed. Sessions and sign-in links of the former one have ended; both addresses get a message.",
      data: { email },
    }
  },
}

export const mailSignInLink: Command = {
  about: "mail a customer a sign-in link, which works once, for 15 minutes",
  args: ["EMAIL"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofCustomer("mail-sign-in-link"),
  async run(call) {
    const { email } = await changed(call, { action: "mail-sign-in-link" })
    return { text: "A running shop sends the link within seconds.", data: { email } }
  },
}

type Fields = Omit<CustomerChange, "reason" | "key">

/** The request that waits for a second operator; null: the change can be done at once. */
async function askedFirst(call: Call, customer: CustomerDetails, fields: Fields) {
  const { billing, config, now } = call
  const [id, reason] = [newId(), call.options.reason?.trim() ?? ""]
  const amount = grantedBy(changingOf(call), customer, { ...fields, reason, key: id })
  if (!amount) return null
  const asking = { approvals: billing.approvals, approveAbove: approvalLimitOf(config) }
  return askForCredit(asking, customer, { id, amount, reason }, { ...CLI_OPERATOR, at: now })
}

/** Changes the customer who is named first. Throws `CommandError` if nothing was changed. */
async function changed(
  call: Call,
  fields: Fields,
  reason = call.options.reason?.trim() ?? "",
): Promise<CustomerDetails> {
  const customer = await customerOf(call)
  await change(call, customer, fields, reason)
  return customer
}

async function change(
  call: Call,
  customer: CustomerDetails,
  fields: Fields,
  reason = call.options.reason?.trim() ?? "",
): Promise<void> {
  const problem = await changeCustomer(changingOf(call), customer, { ...fields, reason, key: newId() })
  if (problem !== null) throw errorOf(problem)
}

/** Nobody has to be woken: a running shop looks for jobs every few seconds. */
function changingOf({ billing, externalBilling, config, now }: Call): CustomerChanging {
  return {
    admin: billing.operator,
    signInRequests: billing.signInRequests,
    trials: billing.trials,
    signer: signWith(secretsOf(config), "links"),
    newId,
    now: () => now,
    wakeJobs: () => {},
    hasExternalBilling: externalBilling !== null,
    sendsMail: senderOf(config) !== null,
  }
}

const messages: Readonly<Partial<Record<CustomerProblem, string>>> = {
  "no-mail": "The shop sends no mail: set SMTP_URL and MAIL_FROM.",
  "email-taken": "Another customer has this email.",
  changed: "The customer has changed at the same time. Nothing was done: look at it, and try again.",
  elsewhere: "Change it in the external billing system, which owns the customers.",
}

function errorOf(problem: CustomerProblem): CommandError {
  if (problem === "reason-missing") return new UsageError("Option --reason is required.")
  if (problem === "amount-invalid") return new UsageError("--amount must be an amount such as 12.50.")
  return new CommandError(messages[problem] ?? "Nothing was changed.")
}

async function customerOf({ billing, args: [email = ""] }: Call): Promise<CustomerDetails> {
  if (!isEmail(email)) throw new UsageError(`Invalid email address "${email}".`)
  const { id } = await customerNamed(billing, email)
  const customer = await billing.operator.customer(id)
  if (!customer) throw new CommandError("Customer not found.")
  return customer
}

function finderOf({ billing, machineNow }: Call) {
  return { customers: billing.operator, now: machineNow }
}

function linesOf(customers: readonly CustomerListItem[]): string[] {
  if (customers.length === 0) return ["No customers."]
  return customers.map((customer) =>
    [time(customer.createdAt), customer.id, proofText(customer).padEnd(18), customer.email].join("  "),
  )
}

function proofText({ hasEmail, isProven }: CustomerListItem): string {
  if (!hasEmail) return "another customer's"
  return isProven ? "proven" : "not proven"
}

function jsonListed({ id, email, hasEmail, country, locale, createdAt, isProven }: CustomerListItem) {
  return { id, email, hasEmail, country, locale, createdAt: jsonTime(createdAt), isProven }
}

function textOf(customer: CustomerDetails): string[] {
  const { services, orders, payments, creditMovements, mails, blocks, signIns } = customer
  const section = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [name, ...lines.map((it) => `  ${it}`)]
  return [
    `Customer ${customer.id}  ${customer.email}  ${proofText(customer)}`,
    `  since ${time(customer.createdAt)}, ${customer.locale}, ${customer.country ?? "unknown country"}`,
    ...customer.formerEmails.map(({ email, until }) => `  ${email} until ${time(until)}`),
    `  account credit: ${customer.credit.map(amount).join(", ") || "none"}`,
    ...section(
      "Services",
      services.map(({ id, status, name, username }) => [id, status, name, username].join("  ")),
    ),
    ...section(
      "Orders",
      orders.map(({ placedAt, id, status, total }) => [time(placedAt), id, status, amount(total)].join("  ")),
    ),
    ...section(
      "Payments",
      payments.map((it) =>
        [time(it.bookedAt), it.orderId, it.gateway ?? ELSEWHERE, amount(it.amount)].join("  "),
      ),
    ),
    ...section(
      "Account credit",
      creditMovements.map((it) =>
        [time(it.at), amount(it.amount), it.cause, it.orderId ?? it.reason ?? ""].join("  ").trimEnd(),
      ),
    ),
    ...section(
      "Messages",
      mails.map((it) => [time(it.createdAt), it.name, it.state].join("  ")),
    ),
    ...section(
      "Sign-in links",
      signIns.map(({ createdAt, endedAt }) => `${time(createdAt)}  ${endedAt === null ? "open" : "ended"}`),
    ),
    ...section(
      "Blocks",
      blocks.map(({ kind, value, reason }) => [kind, value, reason ?? ""].join("  ").trimEnd()),
    ),
  ]
}

function jsonCustomer(customer: CustomerDetails) {
  const timeOrNull = (at: number | null) => (at === null ? null : jsonTime(at))
  return {
    ...jsonListed(customer),
    currency: customer.currency,
    emailProvenAt: timeOrNull(customer.emailProvenAt),
    formerEmails: customer.formerEmails.map(({ email, until }) => ({ email, until: jsonTime(until) })),
    password: customer.passwordScope,
    sessionsSince: timeOrNull(customer.sessionsSince),
    credit: customer.credit.map(jsonAmount),
    services: customer.services.map(({ id, status, name, username, paidUntil }) => ({
      number: id,
      status,
      name,
      username,
      paidUntil: timeOrNull(paidUntil),
    })),
    orders: customer.orders.map(({ id, status, total, placedAt }) => ({
      number: id,
      status,
      total: jsonAmount(total),
      placedAt: jsonTime(placedAt),
    })),
    payments: customer.payments.map((it) => ({
      order: it.orderId,
      amount: jsonAmount(it.amount),
      gateway: it.gateway,
      transactionId: it.transactionId,
      at: jsonTime(it.bookedAt),
    })),
    creditMovements: customer.creditMovements.map((it) => ({
      amount: jsonAmount(it.amount),
      cause: it.cause,
      order: it.orderId,
      reason: it.reason,
      at: jsonTime(it.at),
    })),
    mails: customer.mails.map(({ id, name, state, createdAt }) => ({
      id,
      name,
      state,
      createdAt: jsonTime(createdAt),
    })),
    signIns: customer.signIns.map(({ createdAt, endedAt }) => ({
      createdAt: jsonTime(createdAt),
      endedAt: timeOrNull(endedAt),
    })),
    blocks: customer.blocks.map(({ kind, value, reason, at }) => ({ kind, value, reason, at: jsonTime(at) })),
    addresses: customer.addresses,
  }
}
