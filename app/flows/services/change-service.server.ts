import type { LoggedServices, Services } from "~/context/services.server"
import type { DeviceAddress } from "~/domain/services/device-address"
import type { Service } from "~/domain/services/service"
import { type Recreating, terminateAndRecreate } from "~/flows/jobs/recreate-service.server"
import { JOB_LEASE, withRenewedLease } from "~/flows/jobs/renew-lease.server"
import { oneDeviceAtATime, registerDevice } from "~/flows/jobs/set-device.server"
import { ProvisioningError } from "~/provisioning/provisioner"

/**
 * `not-active`: the service is terminated or not provisioned yet. `not-answered`: the panel has not confirmed the change,
 * and nothing was stored. `blocked`: the operator has blocked the device, and nothing was done.
 */
export type ServiceChange = "done" | "not-active" | "not-answered" | "blocked"

/**
 * `changed`: another device was registered since the service was read, or is being registered, and nothing was done. `unconfirmed`: the
 * panel has not answered, so that it may have registered the device or not; it is asked again until it answers.
 */
export type DeviceChange = ServiceChange | "changed" | "unconfirmed"

type Tying = Pick<LoggedServices, "log" | "provisioner" | "billing" | "outbox" | "newId" | "now">

/**
 * Sets a service's device address; stored once the panel has confirmed (specification, Services: success on OK). One at a time, so that
 * the panel's device is the one that is stored. What was asked for is stored before the panel is asked, so that a job asks again if no
 * answer comes. Idempotent.
 */
export async function tieToDevice(
  services: Tying,
  service: Service,
  deviceAddress: DeviceAddress,
): Promise<DeviceChange> {
  const { billing, log, now } = services
  if (await billing.isDeviceBlocked(deviceAddress)) {
    log.warn({ serviceId: service.id }, "device blocked")
    return "blocked"
  }
  if (service.status !== "Active") return "not-active"
  const outcome = await oneDeviceAtATime(services, service.id, async (): Promise<DeviceChange> => {
    const present = (await billing.service(service.id))?.deviceAddress ?? null
    if (present !== service.deviceAddress && present !== deviceAddress) return "changed"
    const at = now()
    await billing.requestDevice(service.id, deviceAddress, { at, due: at + JOB_LEASE })
    const registered = await registerDevice(services, service, deviceAddress)
    return registered === "refused" ? "not-answered" : registered
  })
  return outcome ?? "changed"
}

/** Restarts a service, which ends its running streams. */
export async function restartService(services: LoggedServices, service: Service): Promise<ServiceChange> {
  return atPanel(services, service, async () => {
    await services.provisioner.restart(service)
    await services.billing.recordRestart(service.id, services.now())
  })
}

/**
 * Terminates a service and recreates it with new credentials; the old ones stop working. The job is enqueued before the
 * panel is called: `not-answered` means that it is retried, since the panel may have terminated the service already.
 */
export async function recreateService(
  services: Recreating,
  { id, status }: Pick<Service, "id" | "status">,
): Promise<ServiceChange> {
  if (status !== "Active") return "not-active"
  const at = services.now()
  const job = await services.billing.scheduleRecreation(id, at, at + JOB_LEASE)
  const made = await withRenewedLease(services, [job], () => terminateAndRecreate(services, job))
  return made ? "done" : "not-answered"
}

/** Stores a customer's notes on a service. */
export async function noteOnService(
  { billing }: Pick<Services, "billing">,
  service: Service,
  notes: string,
): Promise<void> {
  await billing.setNotes(service.id, notes)
}

async function atPanel(
  { log }: Pick<LoggedServices, "log">,
  service: Service,
  act: () => Promise<void>,
): Promise<ServiceChange> {
  if (service.status !== "Active") return "not-active"
  try {
    await act()
    return "done"
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    log.error({ err: error, serviceId: service.id }, "panel update failed")
    return "not-answered"
  }
}
