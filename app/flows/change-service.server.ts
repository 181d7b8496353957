import { newCredentials } from "~/domain/credentials"
import type { DeviceAddress } from "~/domain/device-address"
import type { Service } from "~/domain/service"
import { ProvisioningError } from "~/provisioning/provisioner"
import type { Services } from "~/services.server"

/** `not-answered`: the panel did not carry it out, and nothing has changed. */
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
    await services.billing.tellRestart(service.id, services.now())
  })
}

/** Ends a line and makes it anew under fresh credentials; the old ones stop working. */
export async function recreateService(services: Services, service: Service): Promise<ServiceChange> {
  return atPanel(services, service, async () => {
    await services.provisioner.terminate(service)
    await services.billing.recreateService(service.id, newCredentials(services.draw), services.now())
    services.wakeJobs()
  })
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
    log.error({ err: error, serviceId: service.id }, "the panel did not carry out a change")
    return "not-answered"
  }
}
