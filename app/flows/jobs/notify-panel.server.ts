import type { Services } from "~/context/services.server"
import type { Service } from "~/domain/services/service"

type Notice = {
  /** Tells the panel what a service's row says. */
  readonly send: (service: Service) => Promise<void>
  /** Whether two states of the row are the same for the panel. */
  readonly isSame: (one: Service, other: Service) => boolean
}

/**
 * Tells the panel what a service's row says, and again until panel and row agree: the row may change during the call. Returns the
 * service as the panel has it. Throws what `send` throws.
 */
export async function notifyPanel(
  services: Pick<Services, "billing">,
  service: Service,
  notice: Notice,
): Promise<Service> {
  await notice.send(service)
  const after = await services.billing.service(service.id)
  return after && !notice.isSame(after, service) ? notifyPanel(services, after, notice) : service
}
