import { z } from "zod"
import { type Money, toDecimal } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { AnyResponse } from "../client/api.server"
import { nullOnError } from "../client/errors"
import { Amount, listResponse, MaybeId, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"

const NOT_UNIQUE = /must be unique/i

const TransactionShape = z.object({
  transid: Text,
  invoiceid: MaybeId,
  userid: MaybeId,
  amountin: Amount,
  amountout: Amount,
})
export type WhmcsTransaction = z.output<typeof TransactionShape>

const TransactionsResponse = listResponse("transactions", "transaction", TransactionShape)

type Client = { readonly customerId: string; readonly invoiceId: string }

/** The amount under a transaction id of this client, in minor units; null: WHMCS does not have it. */
export async function recordedAs(
  whmcs: Whmcs,
  { invoiceId, customerId }: Client,
  transid: string,
): Promise<number | null> {
  const known = (await transactionsOf(whmcs, { transid })).filter(
    (it) => it.transid === transid && (it.invoiceid === invoiceId || it.userid === customerId),
  )
  return known.length === 0 ? null : known.reduce((sum, { amountin }) => sum + (amountin ?? 0), 0)
}

type Unneeded = Client & { readonly transid: string; readonly gateway: GatewayId; readonly amount: Money }

/**
 * Gives a client credit for money that an invoice does not need. AddTransaction accepts an id once only. It takes dates in the
 * installation's own format, so WHMCS dates it itself.
 */
export async function creditClient(whmcs: Whmcs, unneeded: Unneeded): Promise<void> {
  const { customerId, invoiceId, transid, gateway, amount } = unneeded
  const transaction = {
    userid: customerId,
    paymentmethod: gateway,
    transid,
    amountin: toDecimal(amount),
    description: `Payment for invoice ${invoiceId}, not needed there`,
    credit: true,
  }
  await nullOnError(NOT_UNIQUE, whmcs.api.write("AddTransaction", transaction, AnyResponse))
}

export async function transactionsOf(
  { api }: Whmcs,
  which: { invoiceid: string } | { transid: string },
): Promise<readonly WhmcsTransaction[]> {
  return api.read("GetTransactions", which, TransactionsResponse)
}
