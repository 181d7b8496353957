import { z } from "zod"
import { Amount, Flag, Id, listOf, MaybeId, Rate, Text, TextField } from "../client/response-schema"

/**
 * An order of GetOrders, see https://developers.whmcs.com/api-reference/getorders/. `relid` of a product line is its
 * service id.
 */
export const OrderShape = z.object({
  id: Id,
  userid: Id,
  date: Text,
  promocode: Text,
  invoiceid: MaybeId,
  status: Text.transform((status) => status.toLowerCase()),
  paymentstatus: Text.transform((status) => status.toLowerCase()),
  notes: TextField,
  lineitems: listOf("lineitem", z.object({ type: Text, relid: MaybeId })),
})

export type WhmcsOrder = z.output<typeof OrderShape>

/** A comma-separated list of ids, "12,13". Before WHMCS 7.8 AddOrder sent it as `productids`. */
const Names = Text.transform((list) => list.split(",").filter((id) => /^\d+$/.test(id)))

export const AddOrderResponse = z.object({
  orderid: Id,
  invoiceid: MaybeId,
  serviceids: Names,
  productids: Names,
})

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
