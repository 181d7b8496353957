import type { Services } from "~/context/services.server"
import type { DeviceAddress } from "~/domain/device-address"
import type { Service } from "~/domain/service"
import { JOB_LEASE, whileClaimed } from "~/flows/jobs/keep-claimed.server"
import { terminateAndRecreate } from "~/flows/jobs/recreate-service.server"
import { ProvisioningError } from "~/provisioning/provisioner"

/** `not-answered`: the panel has not said that it has carried it out, and nothing has changed here. */
export type ServiceChange = "done" | "not-answered"

/** Ties a line to a device: noted once the panel has said yes (spec, section 7: success on OK). */
export async function tieToDevice(
  services: Services,
  service: Service,
  deviceAddress: DeviceAddress,
): Promise<ServiceChange> {
  return atPanel(services, service, async () => {
    await services.provisioner.setDeviceAddress({ ...service, deviceAddress })
    await services.billing.setDeviceAddress(service.id, deviceAddress)
  })
}

/** Ends what is playing on a line. */
export async function restartService(services: Services, service: Service): Promise<ServiceChange> {
  return atPanel(services, service, async () => {
    await services.provisioner.restart(service)
    await services.billing.recordRestart(service.id, services.now())
  })
}

/**
 * Ends a line and makes it anew under fresh credentials; the old ones stop working. Promised before the panel is told:
 * `not-answered` means that it is tried again, because the line may have been ended already.
 */
export async function recreateService(services: Services, { id, status }: Service): Promise<ServiceChange> {
  if (status !== "Active") return "not-answered"
  const at = services.now()
  const job = await services.billing.scheduleRecreation(id, at, at + JOB_LEASE)
  const made = await whileClaimed(services, [job], () => terminateAndRecreate(services, job))
  return made ? "done" : "not-answered"
}

/** Keeps a customer's own words about a service. */
export async function noteOnService({ billing }: Services, service: Service, notes: string): Promise<void> {
  await billing.setNotes(service.id, notes)
}

async function atPanel(
  { log }: Services,
  service: Service,
  act: () => Promise<void>,
): Promise<ServiceChange> {
  // A line that is being set up just now is nothing to change yet.
  if (service.status !== "Active") return "not-answered"
  try {
    await act()
    return "done"
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    log.error({ err: error, serviceId: service.id }, "panel update failed")
    return "not-answered"
  }
}
