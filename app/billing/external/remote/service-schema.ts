import { z } from "zod"
import type { ExternalService } from "~/billing/external/external-services"
import type { Instant } from "~/domain/calendar"
import { cycleNamed } from "~/domain/catalogue/billing-cycle"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import { startOfDay } from "~/domain/local-time"
import { currencies } from "~/domain/money/money"
import { deviceAddressIn } from "~/domain/services/device-address"
import type { ServiceStatus } from "~/domain/services/service"
import { Flag, listOf, OptionalExternalId, required, TextField } from "./lenient-schema"

const Field = z.object({ id: OptionalExternalId, name: TextField, value: TextField })
/** `option` is the name in WHMCS. */
const Chosen = z.object({ id: OptionalExternalId, name: TextField, option: TextField, value: TextField })

/** A service in a response (billing API: getClientProducts). Fields of newer servers come last. */
export const RemoteService = z.object({
  id: OptionalExternalId,
  orderid: OptionalExternalId,
  clientid: OptionalExternalId,
  pid: OptionalExternalId,
  name: TextField,
  status: z.string().min(1),
  username: TextField,
  password: TextField,
  serverhostname: TextField,
  billingcycle: TextField,
  regdate: TextField,
  nextduedate: TextField,
  notes: TextField,
  customfields: listOf("customfield", Field),
  configoptions: listOf("configoption", Chosen),
  invoiceid: OptionalExternalId,
  kind: z.enum(["plan", "reseller"]).optional().catch(undefined),
  connections: z.coerce.number().int().positive().optional().catch(undefined),
  proxyprotection: Flag.optional(),
  currency: z.enum(currencies).optional().catch(undefined),
  paiduntil: z.iso.datetime({ offset: true }).optional().catch(undefined),
})
export type RemoteService = z.output<typeof RemoteService>

/** A list of services, or one alone: the spec reads the fields of a single service from the response itself. */
export const ServicesResponse = z.union([
  z.object({ products: required(listOf("product", RemoteService)) }).transform((it) => it.products),
  z.array(RemoteService),
  RemoteService.transform((one) => [one]),
])

/** Service statuses of WHMCS. An unknown status counts as pending. */
const statuses: Readonly<Record<string, ServiceStatus>> = {
  active: "Active",
  completed: "Active",
  suspended: "Suspended",
  cancelled: "Cancelled",
  canceled: "Cancelled",
  terminated: "Terminated",
  fraud: "Cancelled",
}

export function statusOf({ status }: Pick<RemoteService, "status">): ServiceStatus {
  return statuses[status.toLowerCase()] ?? "Pending"
}

/** Fields that the caller knows and the response may lack. */
type Known = {
  readonly serviceId: string
  readonly customerId: string
  readonly kind: ProductKind
  productId: string
  /** The shop's time zone, in which an older server's days are. */
  readonly timeZone: string
}

/** Maps a service of the server to the port. */
export function serviceOf(result: RemoteService, { timeZone, ...known }: Known): ExternalService {
  const { orderid, name, username, password, notes, currency, billingcycle } = result
  return {
    ...known,
    orderId: orderid,
    name,
    status: statusOf(result),
    username,
    password,
    notes,
    host: hostIn(result.serverhostname),
    connections: connectionsOf(result),
    proxyProtection: proxyOf(result),
    cycle: cycleNamed(billingcycle),
    currency: currency ?? null,
    deviceAddress: deviceAddressIn(deviceField(result)?.value ?? ""),
    createdAt: startOfNamedDay(result.regdate, timeZone),
    paidUntil: paidUntilOf(result, timeZone),
  }
}

/** Custom field of the device address: the one named "MAC", else the first (billing API: getClientProducts). */
export function deviceField({ customfields }: RemoteService): z.output<typeof Field> | null {
  return customfields.find(({ name }) => /\bmac\b/i.test(name)) ?? customfields[0] ?? null
}

/** URL with scheme. The default is http, because players connect without TLS. */
function hostIn(text: string): string | null {
  if (text === "") return null
  return (
    z.url({ protocol: /^https?$/ }).safeParse(/^https?:\/\//i.test(text) ? text : `http://${text}`).data ??
    null
  )
}

/** 1 plus the value of the first option (specification, Catalogue); null if it cannot be parsed. */
function connectionsOf({ connections, configoptions }: RemoteService): number | null {
  if (connections !== undefined) return connections
  const [extra] = configoptions
  if (!extra) return null
  if (/^\d{1,4}$/.test(extra.value)) return 1 + Number(extra.value)
  return isYes(extra.value) === null ? null : 1 + Number(isYes(extra.value))
}

function proxyOf({ proxyprotection, configoptions }: RemoteService): boolean | null {
  const [, proxy] = configoptions
  return proxyprotection ?? (proxy ? isYes(proxy.value) : null)
}

function isYes(text: string): boolean | null {
  if (/^(yes|on|true|1)$/i.test(text)) return true
  return /^(no|off|false|0|)$/i.test(text) ? false : null
}

/** An older server names the day only. */
function paidUntilOf({ paiduntil, nextduedate }: RemoteService, timeZone: string): Instant | null {
  return paiduntil === undefined ? startOfNamedDay(nextduedate, timeZone) : Date.parse(paiduntil)
}

/** The first moment of a day, of which a time may follow; null for `0000-00-00` and other texts. */
function startOfNamedDay(text: string, timeZone: string): Instant | null {
  return startOfDay(text.slice(0, 10), timeZone) ?? null
}
