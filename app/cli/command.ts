import type { Logger } from "pino"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Config } from "~/config/environment.server"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Gateway } from "~/gateways/gateway"

/** One command of the operator's, as the manual has it. */
export type Command = {
  /** The words it takes besides its name, as the manual writes them. */
  readonly args: readonly string[]
  /** One more word, which may be left out. */
  readonly mayTake?: string
  readonly options?: readonly OptionName[]
  readonly flags?: readonly FlagName[]
  /** Answers what is to be said. Throws a `CommandError` if the command fails. */
  run(call: Call): Promise<string>
}

export const optionNames = ["status", "limit", "service-id", "expires-in", "reason", "file"] as const
export type OptionName = (typeof optionNames)[number]
/** Options that say all by being there. */
export const flagNames = ["replace", "force", "all"] as const
export type FlagName = (typeof flagNames)[number]

export type Call = {
  readonly billing: EmbeddedBilling
  /** Whoever keeps the books beside ours; null where ours are all there is. */
  readonly externalBilling: ExternalBilling | null
  readonly config: Config
  /** Opens all gateways the shop speaks with. */
  gateways(): ReadonlyMap<GatewayId, Gateway>
  readonly args: readonly string[]
  readonly options: { readonly [Name in OptionName]?: string | undefined }
  readonly flags: readonly FlagName[]
  readonly now: Instant
  /** What is worth a line goes where errors go. */
  readonly log: Logger
  /** Reads one line that is typed or piped in, without showing it; empty when there is none. */
  prompt(question: string): Promise<string>
  /** Writes to standard output; what the command answers goes to standard error then. */
  write(content: AsyncIterable<string>): Promise<void>
}

/** What was asked for cannot be done; the message is for the operator. */
export class CommandError extends Error {
  override name = "CommandError"
}
