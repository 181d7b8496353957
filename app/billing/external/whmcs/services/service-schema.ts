import { z } from "zod"
import { Id, listOf, MaybeId, Text, TextField } from "../client/response-schema"

/** A service as GetClientsProducts tells of it; its password stands there in clear. */
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
  status: Text.transform((status) => status.toLowerCase()),
  username: Text,
  password: Text,
  notes: TextField,
  customfields: listOf("customfield", z.object({ id: Id, name: TextField, value: Text })),
  configoptions: listOf("configoption", z.object({ id: Id, value: Text })),
})

export type WhmcsService = z.output<typeof ServiceShape>

/** What a service is that works no more, for good. */
export const TERMINATED_STATUSES: ReadonlySet<string> = new Set(["terminated", "cancelled", "fraud"])

/** A custom field of a service by its name; what stands before a bar is the panel's own name for it. */
export function fieldNamed<T extends { readonly name: string }>(
  fields: readonly T[],
  wanted: string,
): T | undefined {
  const key = (name: string) => name.trim().toLowerCase()
  return fields.find(({ name }) => name.split("|").some((part) => key(part) === key(wanted)))
}
