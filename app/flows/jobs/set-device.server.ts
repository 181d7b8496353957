import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { MINUTE, SECOND } from "~/domain/calendar"
import type { DeviceAddress } from "~/domain/services/device-address"
import type { Service } from "~/domain/services/service"
import { ProvisioningError } from "~/provisioning/provisioner"
import { JOB_LEASE } from "./renew-lease.server"
import { retryUnfinished } from "./retry-job.server"

type Registering = Pick<LoggedServices, "billing" | "provisioner" | "log">

/**
 * Asks the panel to register the device of a request, and stores it once the panel has confirmed. `refused`: the panel does not register
 * it, and the request is forgotten. `unconfirmed`: the panel may have registered it or not, and the request stays.
 */
export async function registerDevice(
  { billing, provisioner, log }: Registering,
  service: Service,
  deviceAddress: DeviceAddress,
): Promise<"done" | "refused" | "unconfirmed"> {
  try {
    await provisioner.setDeviceAddress({ ...service, deviceAddress })
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error
    log.error({ err: error, serviceId: service.id }, "panel update failed")
    if (!error.isRefusal) return "unconfirmed"
    await billing.dropDeviceRequest(service.id, deviceAddress)
    return "refused"
  }
  await billing.setDeviceAddress(service.id, deviceAddress)
  return "done"
}

type Leasing = Pick<LoggedServices, "outbox" | "newId" | "now" | "log">

/** Null while another device of the service is being registered, on any instance. After a crash the lease ends. */
export async function oneDeviceAtATime<T>(
  { outbox, newId, now, log }: Leasing,
  serviceId: string,
  register: () => Promise<T>,
): Promise<T | null> {
  const holder = newId()
  const lease = (length: number) => outbox.lease(`device of ${serviceId}`, holder, now(), length)
  if (!(await lease(JOB_LEASE))) return null
  try {
    return await register()
  } finally {
    await lease(0).catch((error: unknown) => log.warn({ err: error }, "device lease not released"))
  }
}

/** Asks again for a device that the panel has not confirmed, with back-off until it answers. A suspended service waits. */
export async function setDevice(services: LoggedServices, job: Job): Promise<void> {
  const outcome = await oneDeviceAtATime(services, job.subject, () => askAgain(services, job))
  if (outcome === null)
    return later(services, job, { wait: 10 * SECOND, reason: "a device is being registered" })
  if (outcome === "suspended")
    return later(services, job, { wait: MINUTE, reason: "the service is not active" })
  if (outcome !== "unconfirmed") return services.outbox.complete(job)
  const service = await services.billing.service(job.subject)
  const orderId = service?.orderId ?? ""
  await retryUnfinished(services, job, { orderId, reason: "the panel has not confirmed the device" })
}

async function askAgain(services: LoggedServices, { subject }: Job) {
  const service = await services.billing.service(subject)
  const requested = service?.deviceRequested
  if (!service || !requested) return "done"
  switch (service.status) {
    case "Active":
      return registerDevice(services, service, requested)
    case "Pending":
    case "Suspended":
      return "suspended"
    case "Cancelled":
    case "Terminated":
      await services.billing.dropDeviceRequest(service.id, requested)
      return "done"
  }
}

type Later = { readonly wait: number; readonly reason: string }

function later({ outbox, now }: LoggedServices, job: Job, { wait, reason }: Later): Promise<void> {
  const at = now()
  return outbox.reschedule(job, { at, due: at + wait, reason })
}
