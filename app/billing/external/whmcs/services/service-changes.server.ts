import { BillingError } from "~/billing/billing"
import type { ExternalServiceRef } from "~/billing/external/external-services"
import type { DeviceAddress } from "~/domain/services/device-address"
import { AnyResponse } from "../client/api.server"
import { encodedMap } from "../client/encoded-map"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { NO_MODULE, pushToPanel, runCustom, runModule } from "./module-commands.server"
import { notesChange, notesIn } from "./notes"
import { fieldNamed, TERMINATED_STATUSES, type WhmcsService } from "./service-schema"
import { ownService, serviceAt } from "./services.server"

const GONE = /service id not found/i

/** Terminates a line. Does nothing for a terminated or unknown service. */
export async function terminate(whmcs: Whmcs, { customerId, serviceId: serviceid }: ExternalServiceRef) {
  const service = await serviceAt(whmcs, { customerId, serviceId: serviceid })
  if (!service || TERMINATED_STATUSES.has(service.status)) return
  const ended = await nullOnError(NO_MODULE, asEnded(runModule(whmcs, "ModuleTerminate", service)))
  if (ended) return
  await whmcs.api.write("UpdateClientProduct", { serviceid, status: "Terminated" }, AnyResponse)
}

async function asEnded(act: Promise<unknown>): Promise<"ended"> {
  await nullOnError(GONE, act)
  return "ended"
}

/**
 * Disconnects a line in the configured way (`settings.restart`). Throws `BillingError` "refused" unless it is active or
 * an earlier restart was interrupted.
 */
export async function restart(whmcs: Whmcs, named: ExternalServiceRef): Promise<void> {
  const service = await ownService(whmcs, named)
  const { restarting } = notesIn(service.notes)
  if (service.status !== "active" && !restarting) {
    throw new BillingError(
      "refused",
      `Cannot restart WHMCS service ${service.id}: it is ${service.status} in WHMCS`,
    )
  }
  const how = whmcs.settings.restart
  return how === "recreate" ? recreate(whmcs, service) : runCustom(whmcs, service, how)
}

/**
 * Terminates and recreates a line. A marker in its notes distinguishes it meanwhile from a line terminated for good, so
 * that a retry resumes an interrupted restart but never revives a terminated line.
 */
async function recreate(whmcs: Whmcs, service: WhmcsService): Promise<void> {
  const { id: serviceid, status } = service
  const notes = notesIn(service.notes)
  const note = (restarting: boolean) =>
    whmcs.api.write(
      "UpdateClientProduct",
      { serviceid, ...notesChange({ ...notes, restarting }) },
      AnyResponse,
    )
  if (status === "active") {
    await note(true)
    await runModule(whmcs, "ModuleTerminate", service)
  }
  await runModule(whmcs, "ModuleCreate", service)
  await note(false)
}

/** Writes the MAC address to its custom field and pushes it to the panel (`settings.pushMac`). */
export async function setDeviceAddress(whmcs: Whmcs, named: ExternalServiceRef, address: DeviceAddress) {
  const { fields, pushMac } = whmcs.settings
  const service = await ownService(whmcs, named)
  const field = fieldNamed(service.customfields, fields.mac)
  if (!field) {
    throw new BillingError(
      "refused",
      `Cannot set device address: WHMCS product ${service.pid} has no custom field ${fields.mac}`,
    )
  }
  const customfields = encodedMap(new Map([[field.id, address]]))
  await whmcs.api.write("UpdateClientProduct", { serviceid: service.id, customfields }, AnyResponse)
  if (pushMac === "none") return
  await (pushMac === "change-package" ? pushToPanel(whmcs, service) : runCustom(whmcs, service, pushMac))
}

/** Replaces the customer's notes. UpdateClientProduct replaces all notes, so the staff notes are sent as well. */
export async function setNotes(whmcs: Whmcs, named: ExternalServiceRef, notes: string): Promise<void> {
  const service = await ownService(whmcs, named)
  const change = notesChange({ ...notesIn(service.notes), customer: notes })
  await whmcs.api.write("UpdateClientProduct", { serviceid: service.id, ...change }, AnyResponse)
}
