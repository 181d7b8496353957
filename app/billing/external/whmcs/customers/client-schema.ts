import { z } from "zod"
import { Flag, isRecord, listOf, MaybeId, Text, TextField } from "../client/response-schema"

const UserShape = z.object({ id: MaybeId, is_owner: Flag })

const ClientShape = z.object({
  id: MaybeId,
  client_id: MaybeId,
  userid: MaybeId,
  owner_user_id: MaybeId,
  uuid: Text,
  email: TextField,
  countrycode: Text,
  currency: MaybeId,
  currency_code: Text,
  language: Text,
  status: Text,
  users: listOf("user", UserShape),
})

/** The response of GetClientsDetails. Older versions have the keys at the top level and `userid` as the client id. */
export const ClientResponse = z
  .unknown()
  .transform((value) => (isRecord(value) && isRecord(value.client) ? value.client : value))
  .pipe(ClientShape)
  .transform(({ id, client_id, userid, ...client }, context) => {
    const clientId = id ?? client_id ?? userid
    if (clientId === null) context.addIssue({ code: "custom", message: "has no id" })
    return { ...client, clientId: clientId ?? "" }
  })

export type WhmcsClient = z.output<typeof ClientResponse>
