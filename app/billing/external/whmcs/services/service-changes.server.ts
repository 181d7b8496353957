import { BillingError } from "~/billing/billing"
import type { ExternalServiceRef } from "~/billing/external/external-services"
import type { DeviceAddress } from "~/domain/device-address"
import { AnyResponse } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { NO_MODULE, pushToPanel, runCustom } from "./module-commands.server"
import { notesChange, notesIn } from "./notes"
import { fieldNamed, TERMINATED_STATUSES, type WhmcsService } from "./service-schema"
import { serviceAt } from "./services.server"

const GONE = /service id not found/i

/** Ends a line. One that has been ended there, or is not there, is none. */
export async function terminate(whmcs: Whmcs, { customerId, serviceId: serviceid }: ExternalServiceRef) {
  const service = await serviceAt(whmcs, { customerId, serviceId: serviceid })
  if (!service || TERMINATED_STATUSES.has(service.status)) return
  const ended = await nullOnError(
    NO_MODULE,
    asEnded(whmcs.api.write("ModuleTerminate", { serviceid }, AnyResponse)),
  )
  if (ended) return
  await whmcs.api.write("UpdateClientProduct", { serviceid, status: "Terminated" }, AnyResponse)
}

async function asEnded(act: Promise<unknown>): Promise<"ended"> {
  await nullOnError(GONE, act)
  return "ended"
}

/** Ends what is playing, in the way the operator has chosen. Only a line that works can be restarted. */
export async function restart(whmcs: Whmcs, named: ExternalServiceRef): Promise<void> {
  const service = await ownService(whmcs, named)
  const { restarting } = notesIn(service.notes)
  if (service.status !== "active" && !restarting) {
    throw new BillingError("refused", `Service ${service.id} of WHMCS is ${service.status} there`)
  }
  const how = whmcs.settings.restart
  return how === "recreate" ? recreate(whmcs, service) : runCustom(whmcs, service.id, how)
}

/**
 * The same line, ended and made again. Between the two it looks like one that has been ended for good, which nobody
 * may bring back by a restart: a word in its notes tells them apart, so that a restart that broke off goes on.
 */
async function recreate({ api }: Whmcs, service: WhmcsService): Promise<void> {
  const { id: serviceid, status } = service
  const notes = notesIn(service.notes)
  const note = (restarting: boolean) =>
    api.write("UpdateClientProduct", { serviceid, ...notesChange({ ...notes, restarting }) }, AnyResponse)
  if (status === "active") {
    await note(true)
    await api.write("ModuleTerminate", { serviceid }, AnyResponse)
  }
  await api.write("ModuleCreate", { serviceid }, AnyResponse)
  await note(false)
}

/** Writes a device's address where modules look for it, and has the panel learn it. */
export async function setDeviceAddress(whmcs: Whmcs, named: ExternalServiceRef, address: DeviceAddress) {
  const { fields, pushMac } = whmcs.settings
  const service = await ownService(whmcs, named)
  const field = fieldNamed(service.customfields, fields.mac)
  if (!field) {
    throw new BillingError("refused", `Product ${service.pid} of WHMCS has no custom field ${fields.mac}`)
  }
  const customfields = encodedMap(new Map([[field.id, address]]))
  await whmcs.api.write("UpdateClientProduct", { serviceid: service.id, customfields }, AnyResponse)
  if (pushMac === "none") return
  await (pushMac === "change-package"
    ? pushToPanel(whmcs, service.id)
    : runCustom(whmcs, service.id, pushMac))
}

/** UpdateClientProduct replaces all notes, so what staff have written goes along. */
export async function setNotes(whmcs: Whmcs, named: ExternalServiceRef, notes: string): Promise<void> {
  const service = await ownService(whmcs, named)
  const change = notesChange({ ...notesIn(service.notes), customer: notes })
  await whmcs.api.write("UpdateClientProduct", { serviceid: service.id, ...change }, AnyResponse)
}

async function ownService(
  whmcs: Whmcs,
  { customerId, serviceId }: ExternalServiceRef,
): Promise<WhmcsService> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `Service ${serviceId} of WHMCS is not there, or another client's`)
}
