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
export type TransactionThere = z.output<typeof TransactionShape>

const TransactionsAnswer = z.object({ transactions: listOf("transaction", TransactionShape) })

export async function transactionsOf(
  { api }: Whmcs,
  which: { invoiceid: string } | { transid: string },
): Promise<readonly TransactionThere[]> {
  return (await api.ask("GetTransactions", which, TransactionsAnswer)).transactions
}
