import type { MailAdmin, MailPosition, SoughtAddress } from "~/billing/mail-admin"
import type { MailListed } from "~/billing/orders/order-admin"
import type { Instant } from "~/domain/calendar"
import { type MailState, mailStates } from "~/domain/shop/mail"
import { type KeysetPage, type PageRequest, readPage } from "./keyset-pages.server"

/** All conditions apply. */
export type MailQuery = {
  readonly state?: MailState | undefined
  readonly address?: SoughtAddress | undefined
}

export type MailPage = KeysetPage<MailListed, MailPosition>

type Finder = { readonly mail: Pick<MailAdmin, "mailPage">; readonly now: () => Instant }

/** A page of the mail log, newest first. `now`: the machine's clock, which measures how long the search takes. */
export function findMails(
  { mail, now }: Finder,
  query: MailQuery,
  request: PageRequest<MailPosition>,
): Promise<MailPage> {
  const list = {
    read: async (range: Omit<Parameters<MailAdmin["mailPage"]>[0], "state" | "address">) =>
      (await mail.mailPage({ ...query, ...range })).map((it) => ({ ...it, at: it.createdAt })),
    placeOf: ({ at, id }: MailPosition) => ({ at, id }),
  }
  return readPage<MailListed & MailPosition, MailPosition>(list, request, now)
}

export const mailFilterFields = ["state", "address"] as const
export type MailFilterField = (typeof mailFilterFields)[number]

/** Shorter texts are the beginning of too many addresses. */
const MIN_LENGTH = 3

/** The filter of an address or a command. A text that is none filters nothing. `wholeAddresses`: no beginning of one finds any. */
export function mailQueryIn(
  textOf: (field: MailFilterField) => string,
  { wholeAddresses }: { readonly wholeAddresses: boolean },
) {
  const typed = { state: textOf("state").trim(), address: textOf("address").trim() }
  const query: MailQuery = {
    state: mailStates.find((it) => it === typed.state),
    address:
      typed.address.length < MIN_LENGTH ? undefined : { text: typed.address, isBeginning: !wholeAddresses },
  }
  return {
    query,
    typed,
    invalid: mailFilterFields.filter((it) => typed[it] !== "" && query[it] === undefined),
  }
}
