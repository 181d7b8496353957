import type { OperatorListed, SessionListed } from "~/billing/operators/operators"
import { audited } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { jsonTime, time } from "~/cli/format"
import { HOUR, MINUTE } from "~/domain/calendar"
import { isEmail } from "~/domain/customers/email"
import { type OperatorRole, operatorRoles, roleDescriptions } from "~/domain/operators/operator"
import type { AccountAction } from "~/domain/operators/operator-account"
import { CLI_OPERATOR } from "~/flows/admin/ask-for-approval.server"
import {
  addOperator,
  type Invitation,
  isInvitation,
  resetOperator,
} from "~/flows/admin/operators/invite-operator.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { operatorSecretsOf } from "~/wiring/generated-secrets.server"
import { newId } from "~/wiring/new-id.server"

const roles = operatorRoles.map((role) => `${role} (${roleDescriptions[role]})`).join(", ")

export const addOperatorCommand: Command = {
  about: "add an operator of the console and print a one-time link",
  args: ["EMAIL"],
  options: { role: roles, reason: "why, for the audit log" },
  required: ["role"],
  async run(call) {
    const {
      args: [email = ""],
      options,
      now,
    } = call
    if (!isEmail(email)) throw new UsageError(`Invalid email address "${email}".`)
    const role = roleOf(options.role)
    const flow = flowOf(call)
    const id = newId()
    const request = { action: "add-operator", subject: `operator ${id}`, reason: reasonOf(call) } as const
    return audited(call, request, async () => {
      const invitation = await addOperator(flow, { id, email, role, at: now }, CLI_OPERATOR)
      if (!isInvitation(invitation))
        throw new CommandError(`${email} is an operator already. For a new link: operators reset`)
      return { after: { email, role }, value: invited(invitation) }
    })
  },
}

export const resetOperatorCommand: Command = {
  about: "give an operator who has lost password or codes a new one-time link",
  args: ["EMAIL"],
  options: { reason: "why, for the audit log" },
  async run(call) {
    const operator = await operatorOf(call)
    const flow = flowOf(call)
    return audited(call, aboutOperator(call, "reset-operator", operator), async () => {
      const invitation = await resetOperator(flow, { operator, at: call.now }, CLI_OPERATOR)
      if (!isInvitation(invitation)) throw new CommandError(`${operator.email} was not reset.`)
      return { before: { disabled: operator.disabledAt !== null }, value: invited(invitation) }
    })
  },
}

export const listOperators: Command = {
  about: "list the operators of the console",
  args: [],
  async run({ billing }) {
    const operators = await billing.operators.list()
    return {
      text: operators.map(lineOf).join("\n") || "No operators: the console does not exist.",
      data: { operators: operators.map(jsonOperator) },
    }
  },
}

export const disableOperator: Command = {
  about: "disable an operator and end the sessions; operators reset enables again",
  args: ["EMAIL"],
  options: { reason: "why, for the audit log" },
  async run(call) {
    const { billing, now } = call
    const operator = await operatorOf(call)
    const { id, email } = operator
    return audited(call, aboutOperator(call, "disable-operator", operator), async () => {
      if ((await billing.operators.disable(id, now, CLI_OPERATOR)) !== "done")
        throw new CommandError(`${email} is disabled already.`)
      return { value: { text: `${email} is disabled; all sessions ended.`, data: { email } } }
    })
  },
}

export const listOperatorSessions: Command = {
  about: "list the open console sessions of an operator",
  args: ["EMAIL"],
  async run(call) {
    const { billing, config, now } = call
    const { id, email } = await operatorOf(call)
    const limits = {
      now,
      idle: config.ADMIN_IDLE_MINUTES * MINUTE,
      longest: config.ADMIN_SESSION_HOURS * HOUR,
    }
    const sessions = await billing.operators.sessions(id, limits)
    return {
      text: sessions.map(sessionLine).join("\n") || `${email} has no open session.`,
      data: { sessions: sessions.map(jsonSession) },
    }
  },
}

export const endOperatorSessions: Command = {
  about: "end all console sessions of an operator",
  args: ["EMAIL"],
  options: { reason: "why, for the audit log" },
  async run(call) {
    const { billing, now } = call
    const operator = await operatorOf(call)
    const { id, email } = operator
    return audited(call, aboutOperator(call, "end-operator-sessions", operator), async () => {
      const ended = await billing.operators.endSessions(id, now)
      const result = { text: `${ended} open sessions of ${email} ended.`, data: { email, ended } }
      return { after: { ended }, value: result }
    })
  },
}

function sessionLine({ createdAt, usedAt, address, browser }: SessionListed): string {
  const where = `${address ?? "unknown address"}, ${browser ?? "unknown browser"}`
  return `since ${time(createdAt)}, last used ${time(usedAt)}, ${where}`
}

function jsonSession({ createdAt, usedAt, address, browser }: SessionListed) {
  return { createdAt: jsonTime(createdAt), usedAt: jsonTime(usedAt), address, browser }
}

function aboutOperator(call: Call, action: AccountAction, { id }: OperatorListed) {
  return { action, subject: `operator ${id}`, reason: reasonOf(call) } as const
}

function reasonOf({ options }: Call): string | null {
  return options.reason?.trim() || null
}

function flowOf({ billing, config }: Call) {
  const secrets = operatorSecretsOf(config)
  if (!secrets)
    throw new CommandError(
      "OPERATOR_SECRETS is required for the console: random secrets of at least 32 characters, separated by commas",
    )
  return { operators: billing.operators, seal: sealWith(secrets, "operators"), publicUrl: config.PUBLIC_URL }
}

async function operatorOf({ billing, args: [email = ""] }: Call): Promise<OperatorListed> {
  const operator = await billing.operators.find(email)
  if (!operator) throw new CommandError(`Operator "${email}" not found.`)
  return operator
}

function roleOf(typed = ""): OperatorRole {
  const role = operatorRoles.find((it) => it === typed)
  if (!role) throw new UsageError(`Invalid --role "${typed}": must be ${operatorRoles.join(", ")}.`)
  return role
}

function invited({ link, until }: Invitation) {
  return {
    text: `${link}\nIt works once, until ${time(until)} UTC. It lets its first user in as this operator: send it privately.`,
    data: { link, until: jsonTime(until) },
  }
}

function lineOf({ email, role, isSetUp, disabledAt, usedAt }: OperatorListed): string {
  const enabled = isSetUp ? "active" : "link not used"
  const state = disabledAt === null ? enabled : `disabled ${time(disabledAt)}`
  return `${email}  ${role}  ${state}  ${usedAt === null ? "never signed in" : `last used ${time(usedAt)}`}`
}

function jsonOperator({ email, role, isSetUp, createdAt, disabledAt, usedAt }: OperatorListed) {
  const times = {
    createdAt: jsonTime(createdAt),
    disabledAt: disabledAt === null ? null : jsonTime(disabledAt),
    usedAt: usedAt === null ? null : jsonTime(usedAt),
  }
  return { email, role, isSetUp, ...times }
}
