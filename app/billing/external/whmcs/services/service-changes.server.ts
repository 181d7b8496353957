import { BillingError } from "~/billing/billing"
import type { ServiceThere } from "~/billing/external/external-services"
import type { DeviceAddress } from "~/domain/device-address"
import { Done } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import { unlessSaid } from "../client/errors"
import type { Whmcs } from "../context.server"
import { NO_MODULE, pushToPanel, runCustom } from "./module-commands.server"
import { notesChange, notesIn } from "./notes"
import { ENDED, fieldNamed, type ServiceOfClient } from "./service-schema"
import { serviceAt } from "./services.server"

const GONE = /service id not found/i

/** Ends a line. One that has been ended there, or is not there, is none. */
export async function terminate(whmcs: Whmcs, { customerId, serviceId: serviceid }: ServiceThere) {
  const service = await serviceAt(whmcs, { customerId, serviceId: serviceid })
  if (!service || ENDED.has(service.status)) return
  const ended = await unlessSaid(NO_MODULE, asEnded(whmcs.api.tell("ModuleTerminate", { serviceid }, Done)))
  if (ended) return
  await whmcs.api.tell("UpdateClientProduct", { serviceid, status: "Terminated" }, Done)
}

async function asEnded(act: Promise<unknown>): Promise<"ended"> {
  await unlessSaid(GONE, act)
  return "ended"
}

/** Ends what is playing, in the way the operator has chosen. Only a line that works can be restarted. */
export async function restart(whmcs: Whmcs, named: ServiceThere): Promise<void> {
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
async function recreate({ api }: Whmcs, service: ServiceOfClient): Promise<void> {
  const { id: serviceid, status } = service
  const notes = notesIn(service.notes)
  const note = (restarting: boolean) =>
    api.tell("UpdateClientProduct", { serviceid, ...notesChange({ ...notes, restarting }) }, Done)
  if (status === "active") {
    await note(true)
    await api.tell("ModuleTerminate", { serviceid }, Done)
  }
  await api.tell("ModuleCreate", { serviceid }, Done)
  await note(false)
}

/** Writes a device's address where modules look for it, and has the panel learn it. */
export async function setDeviceAddress(whmcs: Whmcs, named: ServiceThere, address: DeviceAddress) {
  const { fields, pushMac } = whmcs.settings
  const service = await ownService(whmcs, named)
  const field = fieldNamed(service.customfields, fields.mac)
  if (!field) {
    throw new BillingError("refused", `Product ${service.pid} of WHMCS has no custom field ${fields.mac}`)
  }
  const customfields = encodedMap(new Map([[field.id, address]]))
  await whmcs.api.tell("UpdateClientProduct", { serviceid: service.id, customfields }, Done)
  if (pushMac === "none") return
  await (pushMac === "change-package"
    ? pushToPanel(whmcs, service.id)
    : runCustom(whmcs, service.id, pushMac))
}

/** UpdateClientProduct replaces all notes, so what staff have written goes along. */
export async function setNotes(whmcs: Whmcs, named: ServiceThere, words: string): Promise<void> {
  const service = await ownService(whmcs, named)
  const change = notesChange({ ...notesIn(service.notes), customer: words })
  await whmcs.api.tell("UpdateClientProduct", { serviceid: service.id, ...change }, Done)
}

async function ownService(whmcs: Whmcs, { customerId, serviceId }: ServiceThere): Promise<ServiceOfClient> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service) return service
  throw new BillingError("refused", `Service ${serviceId} of WHMCS is not there, or another client's`)
}
