import type { RenewedItem } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"

/** The usernames of renewed services; null for one that the visitor has no access to, as by the link of a message. */
export function knownUsernames(
  items: readonly RenewedItem[],
  accessible: readonly Pick<Service, "id">[],
): readonly (string | null)[] {
  return items.map(({ serviceId, username }) =>
    accessible.some(({ id }) => id === serviceId) ? username : null,
  )
}
