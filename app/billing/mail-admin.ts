import type { Instant } from "~/domain/calendar"
import type { MailState, MailSuppression } from "~/domain/shop/mail"
import type { MailListed } from "./orders/order-admin"

/** Port of what operators see of mail and do with it. Every call may throw a `BillingError`. */
export interface MailAdmin {
  /** One message of the mail log; null for an unknown id. */
  mail(id: string): Promise<MailListed | null>
  /** A batch of messages behind a place, newest first; with `newer` those before it, in the other direction. */
  mailPage(range: MailRange): Promise<readonly MailListed[]>
  /** Sends a message again, whatever became of it. False for an unknown id. */
  resendMail(id: string, at: Instant): Promise<boolean>
  /** Suppressed addresses, newest first. */
  suppressions(filter?: SuppressionFilter): Promise<readonly MailSuppression[]>
  /** Ends every suppression of an address. Returns their number. */
  endSuppressions(email: string): Promise<number>
}

/** The place of a message in the log. */
export type MailPosition = { readonly at: Instant; readonly id: string }

/** `address`: messages to it or to a customer who has it, without those to the operator. */
export type MailRange = {
  readonly state?: MailState | undefined
  readonly address?: SoughtAddress | undefined
  readonly beyond?: MailPosition | undefined
  readonly newer?: boolean | undefined
  readonly limit: number
}

/** An address, or with `isBeginning` all that begin with the text. */
export type SoughtAddress = { readonly text: string; readonly isBeginning: boolean }

export type SuppressionFilter = {
  readonly address?: SoughtAddress | undefined
  readonly limit?: number | undefined
}
