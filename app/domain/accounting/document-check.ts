import type { Currency } from "../money/money"
import type { IssuedDocument } from "./tax-document"

/** What the ledgers and the documents say of an order, in minor units of its currency. */
export type OrderAccounts = {
  readonly orderId: string
  readonly currency: Currency
  /** What was ordered: the invoice has less where a part did not apply any more when it was paid, and became account credit. */
  readonly total: number
  /** Payments less refunds. */
  readonly received: number
  /** What of it became account credit; negative: account credit that was used. */
  readonly credited: number
  /** Tax that the ledgers still have, and that no document bills any more: it is owed back to the buyer. */
  readonly owedBack: number
  /** What was received outside the gateways, less what was paid back there; null: orders marked by earlier versions have no entry of it. */
  readonly outside: number | null
  /** What was refunded of money that the operator had received outside the gateways, paid back or as account credit. */
  readonly refundedElsewhere: number
  /** The part of it that became account credit, which comes from no invoice. */
  readonly givenElsewhere: number
  /** In the order in which they were issued. */
  readonly documents: readonly Pick<IssuedDocument, "kind" | "number" | "lines" | "payments">[]
}

/** How the amounts of documents were paid, credit notes taken off. Together they are what the documents come to. */
export type DocumentAmounts = {
  /** Through the gateways or from account credit. */
  readonly booked: number
  /** To the operator, outside the gateways. */
  readonly elsewhere: number
  /** By nobody when they were issued: an underpayment that the gateway's tolerance or the operator forgives. */
  readonly forgiven: number
}

/** What documents say of their payments. */
export function amountsOf(documents: OrderAccounts["documents"]): DocumentAmounts {
  const all = documents.map((document) => {
    const sign = document.kind === "credit-note" ? -1 : 1
    const gross = document.lines.reduce((sum, line) => sum + line.gross, 0)
    const paid = (isElsewhere: boolean) =>
      document.payments
        .filter(({ by }) => (by === "other") === isElsewhere)
        .reduce((sum, { amount }) => sum + amount, 0)
    const elsewhere = paid(true)
    // What a credit note has not paid back yet is owed back (`OrderAccounts.owedBack`): nobody has forgiven it.
    const booked = document.kind === "credit-note" ? gross - elsewhere : paid(false)
    return { sign, booked, elsewhere, forgiven: gross - booked - elsewhere }
  })
  const sumOf = (part: keyof DocumentAmounts) => all.reduce((sum, it) => sum + it.sign * it[part], 0)
  return { booked: sumOf("booked"), elsewhere: sumOf("elsewhere"), forgiven: sumOf("forgiven") }
}

/** Documents that say something else than the ledgers. `number`: of the first one of the order. */
export type Disagreement = Pick<OrderAccounts, "orderId" | "currency"> & {
  readonly number: string
  readonly documents: number
  readonly ledgers: number
}

/**
 * Compares the documents of an order with the ledgers: invoices less credit notes, without what the ledgers cannot have, are the
 * money received less what became account credit and what is owed back of it. Null: they agree, or the order has no documents.
 */
export function disagreementIn(accounts: OrderAccounts): Disagreement | null {
  const { orderId, currency, documents } = accounts
  const [first] = documents
  if (!first) return null
  const { booked, elsewhere, forgiven } = amountsOf(documents)
  const ledgers = accounts.received - accounts.credited - accounts.owedBack + elsewhereIn(accounts, first)
  const said = accounts.outside === null ? booked : booked + elsewhere
  // What was forgiven may have arrived since: it is on the invoice, whose payments do not name it.
  const arrived = ledgers - said
  if (arrived >= 0 && arrived <= forgiven && elsewhere >= 0) return null
  return { orderId, currency, number: first.number, documents: said, ledgers }
}

/** What the ledgers have of money from outside the gateways; without an entry of it only what of it became account credit. */
function elsewhereIn(
  accounts: OrderAccounts,
  { lines, payments }: OrderAccounts["documents"][number],
): number {
  if (accounts.outside !== null) return accounts.outside - accounts.givenElsewhere
  const isElsewhere = payments.some(({ by }) => by === "other")
  const left = isElsewhere ? accounts.total - lines.reduce((sum, line) => sum + line.gross, 0) : 0
  return left - unnotedElsewhere(accounts)
}

/** What went back of money from elsewhere without a credit note that says so: as account credit, or for tax that no document bills. */
function unnotedElsewhere({ refundedElsewhere, documents }: OrderAccounts): number {
  const noted = documents
    .filter(({ kind }) => kind === "credit-note")
    .flatMap(({ payments }) => payments.filter(({ by }) => by === "other"))
  return noted.reduce((left, { amount }) => left - amount, refundedElsewhere)
}
