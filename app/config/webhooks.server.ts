import { z } from "zod"
import { isAddressOrNetwork } from "~/http/ip-address.server"
import { List } from "./fields.server"

/** Events for the operator's systems. */
export const webhookFields = {
  WEBHOOK_ALLOW: List.pipe(
    z.array(
      z.string().refine(isAddressOrNetwork, "must be an address or a network, for example 10.1.2.0/24"),
    ),
  )
    .default([])
    .meta({
      description:
        "Addresses and networks (`10.1.2.0/24`) that [webhooks](webhooks.md) may be sent to although they are not public",
      default: "none",
    }),
}
