import type { Logger } from "pino"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Config } from "~/config/environment.server"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Gateway } from "~/gateways/gateway"

/** A command of the admin CLI. Its name is the key in `commands` of `main.server.ts`. */
export type Command = {
  /** Placeholders of the required arguments, as in the help text. */
  readonly args: readonly string[]
  /** Placeholder of an optional last argument. */
  readonly optionalArg?: string
  readonly options?: readonly OptionName[]
  readonly flags?: readonly FlagName[]
  /** Whether it may run without a database, and creates one. */
  readonly createsDatabase?: boolean
  /** Returns the output. Throws `CommandError` if the command fails. */
  run(call: Call): Promise<string>
}

export const optionNames = ["status", "limit", "service-id", "expires-in", "reason", "file"] as const
export type OptionName = (typeof optionNames)[number]
/** Options without a value. */
export const flagNames = ["replace", "force", "all"] as const
export type FlagName = (typeof flagNames)[number]

export type Call = {
  readonly billing: EmbeddedBilling
  /** The external billing system; null with embedded billing. */
  readonly externalBilling: ExternalBilling | null
  readonly config: Config
  /** Creates all configured gateways, also drained ones. */
  gateways(): ReadonlyMap<GatewayId, Gateway>
  readonly args: readonly string[]
  readonly options: { readonly [Name in OptionName]?: string | undefined }
  readonly flags: readonly FlagName[]
  readonly now: Instant
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
