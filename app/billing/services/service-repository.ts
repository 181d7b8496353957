import type { Instant } from "~/domain/calendar"
import type { Credentials } from "~/domain/services/credentials"
import type { DeviceAddress } from "~/domain/services/device-address"
import type { Service } from "~/domain/services/service"
import type { Job } from "../outbox"

/** What `startEarlierTerms` has done. */
export type EarlierTerms = {
  /** Services that have a term now. */
  readonly started: number
  /** Services whose product is no longer in the catalogue: whether they were paid once for all is unknown. */
  readonly unknown: number
}

/** Port of services after the purchase. Every call may throw a `BillingError`. */
export interface ServiceRepository {
  /** Null for an unknown id. */
  service(id: string): Promise<Service | null>
  /**
   * Marks a provisioned service and its order as active and appends a timeline event. `host`: server URL for players.
   * Idempotent. False if the service was ended meanwhile: nothing changes.
   */
  activateService(id: string, access: { host: string }, at: Instant): Promise<boolean>
  /** Records in the timeline, once, that provisioning of an order failed and is being retried. */
  recordProvisioningDelay(orderId: string, at: Instant): Promise<void>
  /**
   * Stores the device that the panel is asked to register, in place of one asked for before, and enqueues the job that asks again, due at
   * `due`. What is registered stays. Idempotent.
   */
  requestDevice(
    serviceId: string,
    address: DeviceAddress,
    { at, due }: { readonly at: Instant; readonly due: Instant },
  ): Promise<void>
  /** Stores the MAC address of the device that the service is tied to. A request for it is fulfilled, and its job done. */
  setDeviceAddress(serviceId: string, address: DeviceAddress): Promise<void>
  /** Forgets the request for a device, with its job. Does nothing if another one was asked for since. */
  dropDeviceRequest(serviceId: string, address: DeviceAddress): Promise<void>
  /** Replaces the customer's notes on a service. */
  setNotes(serviceId: string, notes: string): Promise<void>
  /** Records a restart of the line in the timeline of the order that created it. */
  recordRestart(serviceId: string, at: Instant): Promise<void>
  /** Enqueues the job that recreates the line, due at `until` and claimed by the caller until then. */
  scheduleRecreation(serviceId: string, at: Instant, until: Instant): Promise<Job>
  /**
   * Resets an active service, whose line has been terminated, to pending under fresh credentials. Enqueues provisioning
   * again and completes the `recreate` job, in one transaction. `former`: the service as its line was terminated. False if it is not
   * active, or has other credentials since: nothing changes.
   */
  recreateService(
    former: Pick<Service, "id" | "username">,
    credentials: Credentials,
    at: Instant,
  ): Promise<boolean>
  /** Marks an active or suspended service as cancelled after its line was terminated, and records it. Does nothing to any other one. */
  markTerminated(id: string, at: Instant): Promise<void>
  /**
   * Resets a terminated service to pending under fresh credentials and enqueues provisioning again. False if the
   * service is not cancelled or was never paid: nothing changes.
   */
  reactivateService(id: string, credentials: Credentials, at: Instant): Promise<boolean>
  /** Marks the order of a paid upsell as active after the panel has the extra connections. Idempotent. */
  markConnectionsProvisioned(orderId: string, at: Instant): Promise<void>
  /**
   * Gives services from before terms a first term that began with their payment, and the configured amnesty from `at`, in
   * which nothing is suspended. Services of products that are no longer in the catalogue keep working without an end.
   * Idempotent, and safe for concurrent instances. With an external billing nothing changes.
   */
  startEarlierTerms(at: Instant): Promise<EarlierTerms>
}
