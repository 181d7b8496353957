import { z } from "zod"
import { Id, isRecord, listOf, MaybeId, Text, TextField } from "../client/response-schema"

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
 * UpgradeProduct: the invoice is null if nothing is to be paid. An answer that names neither is that of another call: the upgrade may
 * have been ordered, and is not without an invoice.
 */
export const UpgradeResponse = z
  .unknown()
  .refine(
    (response) => isRecord(response) && ("orderid" in response || "invoiceid" in response),
    "names no order",
  )
  .pipe(z.object({ orderid: MaybeId, invoiceid: MaybeId }))
