import { z } from "zod"
import { Amount, listOf, MaybeId, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"

const TransactionShape = z.object({
  transid: Text,
  invoiceid: MaybeId,
  userid: MaybeId,
  amountin: Amount,
  amountout: Amount,
})
export type WhmcsTransaction = z.output<typeof TransactionShape>

const TransactionsResponse = z.object({ transactions: listOf("transaction", TransactionShape) })

export async function transactionsOf(
  { api }: Whmcs,
  which: { invoiceid: string } | { transid: string },
): Promise<readonly WhmcsTransaction[]> {
  return (await api.read("GetTransactions", which, TransactionsResponse)).transactions
}
