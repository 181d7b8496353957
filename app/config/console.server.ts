import { z } from "zod"
import { isAddressOrNetwork } from "~/http/ip-address.server"
import { List } from "./fields.server"

/** The operator's console. */
export const consoleFields = {
  OPERATOR_SECRETS: List.pipe(z.array(z.string().min(32, "must have at least 32 characters")).nonempty())
    .optional()
    .meta({
      description:
        "Secrets of at least 32 characters that encrypt the keys of the operators' authenticator apps and the secrets of webhooks, separated by commas: the first encrypts, all decrypt ([rotation](operating.md#rotate-a-secret)). Required off loopback for the console and for webhooks",
      default: "generated on loopback",
    }),
  ADMIN_ALLOW: List.pipe(
    z.array(z.string().refine(isAddressOrNetwork, "must be an address or a network, for example 10.0.0.0/8")),
  )
    .default([])
    .meta({
      description: "Addresses and networks (`10.0.0.0/8`) from which the console can be opened",
      default: "any",
    }),
  ADMIN_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .default(60)
    .meta({ description: "A console session ends after this many minutes without use" }),
  ADMIN_SESSION_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(168)
    .default(12)
    .meta({ description: "A console session ends this many hours after sign-in at the latest" }),
  APPROVE_ABOVE: z
    .string()
    .regex(/^\d{1,7}(\.\d{1,2})?$/, "must be an amount, for example 100 or 99.50")
    .optional()
    .meta({
      description:
        "Refunds, orders marked as paid, waived rests, account credit and assigned payments above this amount, in `CURRENCY`, wait until a second operator confirms them ([operating.md](operating.md#let-people-into-the-console)). Earlier refunds of the order and the customer's credit of the last day count. An amount in another currency always waits",
      default: "none waits",
    }),
}
