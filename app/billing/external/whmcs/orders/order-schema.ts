import { z } from "zod"
import { Amount, Id, listOf, MaybeId, Text, TextField } from "../client/response-schema"

/** An order as GetOrders tells of it. The line of a product names its service in `relid`. */
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

/** "12,13": names in a row; before 7.8 services were called products. */
const Names = Text.transform((list) => list.split(",").filter((id) => /^\d+$/.test(id)))

export const AddOrderResponse = z.object({
  orderid: Id,
  invoiceid: MaybeId,
  serviceids: Names,
  productids: Names,
})

/** An invoice as GetInvoice tells of it: what is left to pay of it is its balance. */
export const InvoiceShape = z.object({
  invoiceid: Id,
  userid: Id,
  status: Text.transform((status) => status.toLowerCase()),
  total: Amount,
  credit: Amount,
  balance: Amount,
  notes: TextField,
  items: listOf("item", z.object({ type: Text, relid: MaybeId, description: TextField })),
})

export type WhmcsInvoice = z.output<typeof InvoiceShape>
