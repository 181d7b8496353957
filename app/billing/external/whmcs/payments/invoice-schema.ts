import { z } from "zod"
import { Amount, Flag, Id, listOf, MaybeId, Rate, Text, TextField } from "../client/response-schema"

/**
 * An invoice of GetInvoice, see https://developers.whmcs.com/api-reference/getinvoice/. `balance` is the unpaid amount.
 * `tax` and `tax2` are on the taxed items, whether they are added to the prices or within them.
 */
export const InvoiceShape = z.object({
  invoiceid: Id,
  userid: Id,
  duedate: Text,
  status: Text.transform((status) => status.toLowerCase()),
  total: Amount,
  tax: Amount,
  tax2: Amount,
  taxrate: Rate,
  taxrate2: Rate,
  credit: Amount,
  balance: Amount,
  notes: TextField,
  items: listOf(
    "item",
    z.object({ type: Text, relid: MaybeId, description: TextField, amount: Amount, taxed: Flag }),
  ),
})

export type WhmcsInvoice = z.output<typeof InvoiceShape>
