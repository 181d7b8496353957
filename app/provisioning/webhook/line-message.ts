import { z } from "zod"
import { cycles } from "~/domain/catalogue/billing-cycle"
import type { SuspensionOwner } from "~/domain/services/service"

/** Events sent to a panel. */
export const LineEvent = z.enum([
  "line.create",
  "line.extend",
  "line.suspend",
  "line.resume",
  "line.terminate",
  "line.restart",
  "line.device",
  "line.connections",
  "line.plan",
  "line.credits",
])
export type LineEvent = z.output<typeof LineEvent>

const suspensionOwners = ["non-payment", "operator", "fraud", "panel"] as const satisfies SuspensionOwner[]

/** The whole service, in every event (docs/panel.md, Messages). */
const Line = z.strictObject({
  id: z.string().meta({ description: "the shop's number of the service, the same in all its events" }),
  kind: z
    .enum(["plan", "reseller"])
    .meta({ description: "`plan`: a viewer's line; `reseller`: a reseller's account" }),
  productId: z.string().meta({ description: "the product in the shop's catalogue" }),
  cycle: z
    .enum(cycles)
    .nullable()
    .meta({ description: "billing cycle, from `monthly` to `triennially`; null if it is unknown" }),
  paidUntil: z.iso.datetime().nullable().meta({ description: "end of the paid time in UTC; null: no end" }),
  suspendedBy: z.enum(suspensionOwners).nullable().meta({
    description: "`non-payment`, `operator`, `fraud` or `panel`; null while the line is not suspended",
  }),
  username: z.string().meta({ description: "the customer's username" }),
  password: z.string().meta({ description: "the customer's password" }),
  name: z.string().meta({ description: "name of the product" }),
  connections: z.int().min(1).meta({ description: "number of simultaneous connections" }),
  proxyProtection: z.boolean().meta({ description: "whether proxy protection was bought" }),
  deviceAddress: z
    .string()
    .nullable()
    .meta({ description: "MAC address of the only device allowed; null: any device" }),
  credits: z
    .int()
    .min(0)
    .optional()
    .meta({ description: "in `line.credits` alone: how many credits the account was sold in all" }),
})
export type Line = z.output<typeof Line>

/** The body of a message. */
export const LineMessage = z.strictObject({
  type: LineEvent,
  timestamp: z.iso.datetime().meta({ description: "when the shop sent it; a later message has a later one" }),
  data: Line,
})
