import type { Logger } from "pino"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Environment } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Gateway } from "~/gateways/gateway"
import type { Provisioner } from "~/provisioning/provisioner"

/** A command of the admin CLI. Its name is its place in `grammar.server.ts`. */
export type Command = {
  /** One line of the help text. */
  readonly about: string
  /** Placeholders of the required arguments, as in the help text. */
  readonly args: readonly string[]
  /** Placeholder of an optional last argument. */
  readonly optionalArg?: string
  /** Options with a value, and their help texts. */
  readonly options?: { readonly [Name in OptionName]?: string }
  /** Options that must be given. */
  readonly required?: readonly OptionName[]
  /** Options without a value, and their help texts. */
  readonly flags?: { readonly [Name in FlagName]?: string }
  /** Whether it may run without a database, and creates one. */
  readonly createsDatabase?: boolean
  /**
   * What the audit log says of a command that changes something or hands data out; null: this call does not. Absent for a
   * command that only reads, or that writes its entries itself. Throws `CommandError` as `run` does.
   */
  readonly audit?: (call: Call) => Audited | null | Promise<Audited | null>
  /** Returns the result. Throws `CommandError` if the command fails, `UsageError` for an invalid value. */
  run(call: Call): Promise<CommandResult>
}

/** `subject`: what it is about, such as "order 7BQ697JNZK"; never an email address. */
export type Audited = { readonly action: string; readonly subject: string }

/** The result of a command: `text` for people, `data` for programs (`--json`); docs/admin-cli.md lists its shapes. */
export type CommandResult = {
  readonly text: string
  readonly data: JsonObject
  /** The command did its work and found a failure: exit code 1. */
  readonly isFailure?: boolean
  /** What the audit log keeps of it. */
  readonly after?: JsonObject
}

export type JsonObject = { readonly [name: string]: unknown }

/** Options with a value, and the placeholder of the value in the help text. */
export const optionValues = {
  status: "STATUS",
  limit: "N",
  "service-id": "ID",
  "expires-in": "DURATION",
  reason: "TEXT",
  file: "FILE",
  days: "N",
  product: "ID",
  "active-at": "TIME",
  from: "DAY",
  to: "DAY",
  before: "DAY",
  price: "AMOUNT",
  currency: "CODE",
  cycle: "CYCLE",
  role: "ROLE",
  gateway: "GATEWAY",
  country: "CODE",
  region: "NAME",
  promotion: "CODE",
  tag: "TAG",
  kind: "KIND",
  "paid-from": "DAY",
  "paid-to": "DAY",
  amount: "AMOUNT",
  after: "PLACE",
  address: "ADDRESS",
  operator: "EMAIL",
  reference: "TEXT",
  message: "NAME",
  order: "NUMBER",
  customer: "EMAIL",
  about: "SUBJECT",
  action: "ACTION",
  types: "TYPES",
  description: "TEXT",
  url: "URL",
  event: "ID",
  products: "IDS",
  percent: "N",
  "max-uses": "N",
  "max-per-person": "N",
  renewals: "N",
  cycles: "CYCLES",
  count: "N",
  prefix: "TEXT",
  out: "FILE",
  quarter: "QUARTER",
  choice: "OPTION/CHOICE",
} as const
export type OptionName = keyof typeof optionValues
export type FlagName =
  | "replace"
  | "force"
  | "all"
  | "html"
  | "text"
  | "confirm"
  | "mail"
  | "end-service"
  | "to-credit"
  | "send"
  | "late"
  | "handled"

export type Call = {
  readonly billing: EmbeddedBilling
  /** The external billing system; null with embedded billing. */
  readonly externalBilling: ExternalBilling | null
  readonly config: Config
  /** What `config` was read from. */
  readonly environment: Environment
  /** Creates all configured gateways, also drained ones. */
  gateways(): ReadonlyMap<GatewayId, Gateway>
  /** Opens the panel. */
  provisioner(): Provisioner
  readonly args: readonly string[]
  readonly options: { readonly [Name in OptionName]?: string | undefined }
  readonly flags: readonly FlagName[]
  readonly now: Instant
  /** The machine's clock, which measures how long a search takes. */
  readonly machineNow: () => Instant
  /** Logs warnings to standard error. */
  readonly log: Logger
  /** Reads one typed or piped line without echo; empty if there is none. */
  prompt(message: string): Promise<string>
  /** Streams content to standard output; the command's output then goes to standard error. */
  write(content: AsyncIterable<string>): Promise<void>
}

/** A failed command: exit code 1, with this message for the operator. */
export class CommandError extends Error {
  override name = "CommandError"
}

/** An argument or an option with a value that the command cannot take: exit code 2. */
export class UsageError extends CommandError {
  override name = "UsageError"
}
