import type { Credentials } from "~/domain/services/credentials"
import { AnyResponse } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import type { Whmcs } from "../context.server"
import { fieldNamed, type WhmcsService } from "./service-schema"

/** Writes a line's credentials to the service and, for modules that read them, to its custom fields. Idempotent. */
export async function writeServiceCredentials(
  { api, settings }: Whmcs,
  service: WhmcsService,
  { username, password }: Credentials,
): Promise<void> {
  const { fields } = settings
  const values = [
    [fieldNamed(service.customfields, fields.username), username],
    [fieldNamed(service.customfields, fields.password), password],
  ] as const
  const changed = values.flatMap(([field, value]) =>
    field && field.value !== value ? [[field.id, value] as const] : [],
  )
  const isNamed = service.username === username && service.password === password
  if (isNamed && changed.length === 0) return
  const customfields = changed.length > 0 ? encodedMap(new Map(changed)) : null
  const access = { serviceusername: username, servicepassword: password, customfields }
  await api.write("UpdateClientProduct", { serviceid: service.id, ...access }, AnyResponse)
}

/** The usernames that WHMCS has of a service: its own, and that of the custom field. None before it is set up without such a field. */
export function usernamesOf(
  { settings }: Whmcs,
  { username, customfields }: WhmcsService,
): readonly string[] {
  const field = fieldNamed(customfields, settings.fields.username)
  return [username, field?.value ?? ""].filter((it) => it !== "")
}
