import type { Instant } from "~/domain/calendar"
import type { Credentials } from "~/domain/credentials"
import type { DeviceAddress } from "~/domain/device-address"
import type { Service } from "~/domain/service"
import type { Job } from "./outbox"

/** What becomes of services once they are bought. Every call may throw a `BillingError`. */
export interface ServiceRepository {
  service(id: string): Promise<Service | null>
  /** The service works now: it and its order become active, once; told in the timeline. */
  activateService(id: string, access: { host: string }, at: Instant): Promise<void>
  /** What an order is for could not be set up and is tried again: the buyer reads it in the timeline, once. */
  recordProvisioningDelay(orderId: string, at: Instant): Promise<void>
  /** Notes the device a service is tied to. */
  setDeviceAddress(serviceId: string, address: DeviceAddress): Promise<void>
  setNotes(serviceId: string, notes: string): Promise<void>
  /** The line has been restarted: told in the timeline of the order that made it. */
  recordRestart(serviceId: string, at: Instant): Promise<void>
  /** The line is to be ended and made anew: the job of that, due at `until`, and till then claimed by the caller. */
  scheduleRecreation(serviceId: string, at: Instant, until: Instant): Promise<Job>
  /**
   * The line has been ended and is made anew under fresh credentials: an active service becomes pending, the job that
   * sets it up is promised again and the one that was promised for this is done, in one transaction. False when the
   * service is not active, and then nothing changes.
   */
  recreateService(serviceId: string, credentials: Credentials, at: Instant): Promise<boolean>
  /** The line of an active service has been ended: the service is cancelled. Nothing happens to any other. */
  markTerminated(id: string): Promise<void>
  /**
   * The line of a service that has been ended is made anew under fresh credentials, as with `recreateService`. False
   * when it has not been ended, or has never been paid for, and then nothing changes.
   */
  reactivateService(id: string, credentials: Credentials, at: Instant): Promise<boolean>
  /** The panel knows the connections a paid upsell has bought: its order becomes active, once. */
  markConnectionsProvisioned(orderId: string, at: Instant): Promise<void>
}
