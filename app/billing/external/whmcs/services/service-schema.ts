import { z } from "zod"
import { Id, listOf, MaybeId, Text, TextField } from "../client/response-schema"

/**
 * A service of GetClientsProducts, see https://developers.whmcs.com/api-reference/getclientsproducts/. The password is
 * in clear text.
 */
export const ServiceShape = z.object({
  id: Id,
  clientid: Id,
  orderid: MaybeId,
  pid: Id,
  regdate: Text,
  name: TextField,
  serverip: Text,
  serverhostname: Text,
  billingcycle: Text,
  nextduedate: Text,
  status: Text.transform((status) => status.toLowerCase()),
  username: Text,
  password: Text,
  notes: TextField,
  customfields: listOf("customfield", z.object({ id: Id, name: TextField, value: Text })),
  configoptions: listOf("configoption", z.object({ id: Id, value: Text })),
})

export type WhmcsService = z.output<typeof ServiceShape>

/** Final statuses of a service that works no longer. */
export const TERMINATED_STATUSES: ReadonlySet<string> = new Set(["terminated", "cancelled", "fraud"])

/** Finds a custom field by name, ignoring case; in `Username|Your name` either part matches. */
export function fieldNamed<T extends { readonly name: string }>(
  fields: readonly T[],
  wanted: string,
): T | undefined {
  const key = (name: string) => name.trim().toLowerCase()
  return fields.find(({ name }) => name.split("|").some((part) => key(part) === key(wanted)))
}
