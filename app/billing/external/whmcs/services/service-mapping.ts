import type { ExternalService } from "~/billing/external/external-services"
import { cycleNamed } from "~/domain/catalogue/billing-cycle"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import { deviceAddressIn } from "~/domain/services/device-address"
import type { ServiceStatus } from "~/domain/services/service"
import { countIn } from "../catalogue/option-values"
import { shown } from "../catalogue/product-mapping"
import type { WhmcsProduct } from "../catalogue/product-schema"
import type { WallClock } from "../client/wall-clock"
import type { WhmcsSettings } from "../settings"
import { notesIn } from "./notes"
import { fieldNamed, type WhmcsService } from "./service-schema"

type Known = {
  readonly kind: ProductKind
  readonly currency: Currency | null
  /** Null: WHMCS no longer has the product. */
  readonly product: WhmcsProduct | null
  readonly settings: WhmcsSettings
  readonly clock: WallClock
  /** Reads the due date as a day of the shop. */
  readonly dueDays: WallClock
}

/** Maps a WHMCS service to `ExternalService`. */
export function serviceOf(service: WhmcsService, known: Known): ExternalService {
  const { kind, currency, product, settings, clock, dueDays } = known
  const { fields, hosts } = settings
  const value = (name: string) => fieldNamed(service.customfields, name)?.value ?? ""
  const [connection, proxy] = product?.configoptions.map(({ id }) => held(service, id)) ?? []
  const customer = notesIn(service.notes).customer
  return {
    serviceId: service.id,
    orderId: service.orderid,
    customerId: service.clientid,
    productId: service.pid,
    kind,
    name: shown(service.name),
    status: statusOf(service),
    currency,
    username: service.username || value(fields.username),
    password: service.password || value(fields.password),
    host: hostOf(service, hosts[kind]),
    connections: connection === undefined ? null : 1 + connection,
    proxyProtection: proxy === undefined ? null : proxy > 0,
    cycle: cycleNamed(service.billingcycle),
    deviceAddress: deviceAddressIn(value(fields.mac)),
    notes: customer === "" ? null : customer,
    createdAt: clock.instantOf(service.regdate),
    paidUntil: dueDays.instantOf(service.nextduedate),
  }
}

/**
 * `Completed` is WHMCS's final status of a paid one-time service, which works. Fraud is an order that does not count.
 */
const statuses: Readonly<Record<string, ServiceStatus>> = {
  active: "Active",
  completed: "Active",
  pending: "Pending",
  suspended: "Suspended",
  terminated: "Terminated",
}

/** A restarting line counts as active. */
function statusOf({ status, notes }: WhmcsService): ServiceStatus {
  if (status === "terminated" && notesIn(notes).restarting) return "Active"
  return statuses[status] ?? "Cancelled"
}

function held({ configoptions }: WhmcsService, optionId: string): number | undefined {
  const option = configoptions.find(({ id }) => id === optionId)
  return option && countIn(option.value)
}

/**
 * WHMCS stores a server name without scheme and port. The shop's host setting (`usual`) supplies them for the same or a
 * missing name; other names get plain `http`, which players support.
 */
function hostOf({ serverhostname, serverip }: WhmcsService, usual: string | null): string | null {
  const name = serverhostname || serverip
  const isUsual = name === "" || name === "0.0.0.0" || (usual !== null && new URL(usual).hostname === name)
  if (isUsual) return usual
  return /^https?:\/\//.test(name) ? name.replace(/\/+$/, "") : `http://${name}`
}
