import { z } from "zod"
import { dayIn } from "~/domain/calendar"
import { currencies } from "~/domain/money/money"
import { NOTES_LENGTH, type Service } from "~/domain/services/service"
import { Id, LineCredential, TextField } from "./field-types"

export const ServiceRequest = z.object({ clientid: Id, serviceid: Id.optional() })
export const OneServiceRequest = z.object({ clientid: Id, serviceid: Id })
export const CustomerRequest = z.object({ clientid: Id })
export const ServiceRef = z.object({ serviceid: Id })
export const ServiceMade = ServiceRef.extend({
  username: LineCredential.optional(),
  password: LineCredential.optional(),
})
export const NotesRequest = ServiceRef.extend({
  notes: TextField(NOTES_LENGTH).default("").describe("Customer notes; empty deletes them"),
})
export const DeviceRequest = ServiceRef.extend({
  macAddress: TextField(64),
  id: TextField(64).optional().describe("Custom field id, optional because there is only one"),
})

const Line = z.object({
  id: z.string(),
  serviceid: z.string(),
  orderid: z.string(),
  clientid: z.string(),
  pid: z.string(),
  kind: z.enum(["plan", "reseller"]),
  name: z.string(),
  status: z
    .enum(["Pending", "Active", "Suspended", "Terminated", "Cancelled"])
    .describe("A service works only while it is Active; Suspended may become Active again"),
  username: z.string(),
  password: z.string(),
  serverhostname: z.string().describe("Server URL for players, with scheme; empty until provisioned"),
  billingcycle: z.string().describe("Billing cycle as in getProducts; empty if it was never stored"),
  nextduedate: z
    .string()
    .describe(
      "Day on which the paid time ends, in the shop's time zone; `0000-00-00` for a service without an end",
    ),
  paiduntil: z
    .string()
    .describe("The same as an instant (ISO 8601, UTC); empty for a service without an end"),
  currency: z.enum(currencies),
  connections: z.number().int(),
  proxyprotection: z.boolean(),
  macaddress: z.string(),
  notes: z.string(),
  customfields: z.object({
    customfield: z.array(z.object({ id: z.string(), name: z.string(), value: z.string() })),
  }),
  configoptions: z.object({
    configoption: z.array(
      z.object({ id: z.string(), option: z.string(), type: z.string(), value: z.string() }),
    ),
  }),
})

export const ServiceList = z.object({
  result: z.literal("success"),
  totalresults: z.number().int(),
  products: z.object({ product: z.array(Line) }),
})

/** The response for a single service repeats its fields at the top level, where the spec reads them. */
export const ServicesResponse = ServiceList.extend(Line.partial().shape)

export const ResellerService = z.object({
  error: z.string(),
  name: z.string(),
  status: Line.shape.status,
  orderid: z.string(),
})

export const UpdateMacResponse = z.object({ result: z.literal("OK") })

/** A day that is not set, in WHMCS's words. */
const NO_DAY = "0000-00-00"

/** The custom field that holds a service's MAC address. */
const DEVICE_FIELD = { id: "mac", name: "MAC Address" } as const

type ListContext = {
  /** The shop's, for days. */
  readonly timeZone: string
  /** Ids of a product's configuration options as in getProducts: the extra connection, the proxy protection. */
  readonly optionIds: (productId: string) => OptionIds
}
export type OptionIds = { readonly extraConnection: string; readonly proxyProtection: string }

export function listOf(services: readonly Service[], context: ListContext): z.input<typeof ServiceList> {
  return {
    result: "success",
    totalresults: services.length,
    products: { product: services.map((service) => lineOf(service, context)) },
  }
}

export function oneOf(service: Service, context: ListContext): z.input<typeof ServicesResponse> {
  return { ...lineOf(service, context), ...listOf([service], context) }
}

function lineOf(service: Service, { timeZone, optionIds }: ListContext): z.input<typeof Line> {
  const { id, orderId, customerId, productId, cycle, connections, proxyProtection, deviceAddress } = service
  const { kind, name, status, username, password, host, currency, notes, paidUntil } = service
  const device = deviceAddress ?? ""
  const options = optionIds(productId)
  return {
    id,
    serviceid: id,
    orderid: orderId,
    clientid: customerId,
    pid: productId,
    kind,
    name,
    status,
    username,
    password,
    serverhostname: host ?? "",
    billingcycle: cycle ?? "",
    nextduedate: paidUntil === null ? NO_DAY : dayIn(timeZone, paidUntil),
    paiduntil: paidUntil === null ? "" : new Date(paidUntil).toISOString(),
    currency,
    notes,
    connections,
    proxyprotection: proxyProtection,
    macaddress: device,
    customfields: { customfield: [{ ...DEVICE_FIELD, value: device }] },
    configoptions: {
      configoption: [
        {
          id: options.extraConnection,
          option: "Extra connection",
          type: "quantity",
          value: String(connections - 1),
        },
        {
          id: options.proxyProtection,
          option: "Proxy protection",
          type: "yesno",
          value: proxyProtection ? "1" : "0",
        },
      ],
    },
  }
}
